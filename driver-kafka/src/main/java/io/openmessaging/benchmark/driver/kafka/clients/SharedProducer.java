package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * One of several producers that send through one client. It keeps track of its unanswered messages, since the client
 * can neither wait for those of a single producer nor discard them.
 */
public final class SharedProducer implements ReleasableProducer {

    private final SharedProducers.SharedClient place;
    private final Records records;
    private final Duration timeout;
    private final Set<OnceCallback> unanswered = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean left = new AtomicBoolean();

    /** Null until a thread waits for the last answer. */
    private volatile @Nullable CompletableFuture<Void> allAnswered;

    /**
     * Takes a place at a client.
     *
     * @param records source of the records to send
     * @param timeout limit for closing
     */
    public SharedProducer(SharedProducers.SharedClient place, Records records, Duration timeout) {
        this.place = place;
        this.records = records;
        this.timeout = timeout;
    }

    /** Created once per message. The first answer counts; a second one waits until that is processed. */
    private final class OnceCallback implements Callback {

        private final SendCallback callback;

        /** Guarded by this object's lock. */
        private boolean answered;

        OnceCallback(SendCallback callback) {
            this.callback = callback;
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
            answer(error);
            unanswered.remove(this);
            CompletableFuture<Void> awaited = allAnswered;
            if (awaited != null && unanswered.isEmpty()) {
                awaited.complete(null);
            }
        }

        private synchronized void answer(@Nullable Exception error) {
            if (answered) {
                return;
            }
            answered = true;
            if (error == null) {
                callback.acknowledged();
            } else {
                callback.failed(error);
            }
        }
    }

    // The callback gets the same outcome as the future.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        OnceCallback outcome = new OnceCallback(callback);
        unanswered.add(outcome);
        try {
            place.client().send(records.of(key, payload), outcome);
        } catch (InterruptException e) {
            unanswered.remove(outcome);
            throw ReleasableProducer.interrupted(e);
        } catch (KafkaException e) {
            outcome.onCompletion(null, e);
        }
    }

    /**
     * Fails messages that are still unanswered after the wait; the client may yet send them, as it has other producers.
     */
    @Override
    public void close() {
        CompletableFuture<Void> awaited = new CompletableFuture<>();
        allAnswered = awaited;
        if (unanswered.isEmpty()) {
            awaited.complete(null);
        }
        Deadline.in(timeout).awaitUnlessInterrupted(awaited);
        leave(timeout);
    }

    @Override
    public void abort() {
        leave(Duration.ZERO);
    }

    private void leave(Duration limit) {
        DriverException reason = new DriverException("The producer was closed before Kafka acknowledged the message");
        unanswered.forEach(outcome -> outcome.onCompletion(null, reason));
        if (left.compareAndSet(false, true)) {
            place.leave(limit);
        }
    }
}
