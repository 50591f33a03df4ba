package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/** One Pulsar producer. It keeps payloads until they are sent, and blocks while its limits are reached, if so set. */
final class PulsarBenchmarkProducer implements BenchmarkProducer {

    /** For a broker to take note; the client then gives up on what is not confirmed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    private final Producer<byte[]> client;
    private final String topic;
    private final Duration timeout;

    /** Counts an answer after the callback, so that {@link #close()} knows when the last one has returned. */
    private final Outstanding outstanding = new Outstanding();

    /** Takes the client over. */
    PulsarBenchmarkProducer(Producer<byte[]> client, String topic, Duration timeout) {
        this.client = client;
        this.topic = topic;
        this.timeout = timeout;
    }

    // The stage that whenComplete returns would only repeat what the outcome was told.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        if (Thread.interrupted()) {
            // Later on the client would take the interrupt for a failure of the message.
            throw new InterruptedException("Interrupted before a message was handed to Pulsar.");
        }
        TypedMessageBuilder<byte[]> message = client.newMessage().value(payload);
        if (key != null) {
            message.key(key);
        }
        outstanding.sent();
        message.sendAsync().whenComplete(new Outcome(callback, outstanding));
    }

    /** One object a message. */
    private record Outcome(SendCallback callback, Outstanding outstanding)
            implements BiConsumer<@Nullable MessageId, @Nullable Throwable> {

        @Override
        public void accept(@Nullable MessageId id, @Nullable Throwable error) {
            if (error == null) {
                callback.acknowledged();
            } else {
                callback.failed(Calls.unwrapped(error));
            }
            outstanding.answered();
        }
    }

    /** Begins to release the client; what it still holds fails. */
    CompletableFuture<Void> abandon() {
        return client.closeAsync();
    }

    @Override
    public void close() throws DriverException {
        // The callbacks of the messages that fail, or will be given up, tell more than this.
        Deadline.in(timeout).awaitUnlessInterrupted(client.flushAsync());
        // What is not confirmed by now fails with it.
        CompletableFuture<Void> closing = client.closeAsync();
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        deadline.awaitEnd(closing.exceptionally(error -> null));
        deadline.awaitEnd(outstanding.none());
        long missing = outstanding.count();
        if (missing > 0) {
            throw deadline.missed(
                    "the producer of topic '" + topic + "' to close: " + missing + " messages are without an answer",
                    null);
        }
        if (closing.isCompletedExceptionally()) {
            throw new DriverException("Could not close the producer of topic '" + topic + "' in good order");
        }
    }
}
