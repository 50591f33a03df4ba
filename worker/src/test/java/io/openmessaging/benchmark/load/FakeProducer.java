package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A client that keeps its messages; a test decides what happens to them. */
final class FakeProducer implements BenchmarkProducer {

    /** A message with a copy of its payload. */
    record Message(@Nullable String key, byte[] payload, SendCallback callback) {

        long sequence() {
            return MessageHeader.sequence(payload);
        }

        long intendedNs() {
            return MessageHeader.intendedNs(payload);
        }

        long sentNs() {
            return MessageHeader.sentNs(payload);
        }
    }

    /** The client's reaction to a message, before {@link #send} returns. */
    interface Reaction {
        void to(Message message) throws InterruptedException;
    }

    final List<Message> messages = new CopyOnWriteArrayList<>();
    private final Reaction reaction;

    FakeProducer(Reaction reaction) {
        this.reaction = reaction;
    }

    /** Creates a client that confirms every message at once. */
    static FakeProducer acknowledging() {
        return new FakeProducer(message -> message.callback().acknowledged());
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        Message message = new Message(key, payload.clone(), callback);
        messages.add(message);
        reaction.to(message);
    }

    @Override
    public void close() {}
}
