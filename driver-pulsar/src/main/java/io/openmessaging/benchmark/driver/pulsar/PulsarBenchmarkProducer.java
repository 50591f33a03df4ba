package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/** One Pulsar producer. It keeps payloads until they are sent, and blocks while its limits are reached, if so set. */
final class PulsarBenchmarkProducer implements BenchmarkProducer {

    /** For a broker to take note; the client then gives up on what is not confirmed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    private static final long POLL_NS = 200_000;

    private final Producer<byte[]> client;
    private final String topic;
    private final Duration timeout;

    /** Written by the one thread at a time that sends. */
    private long sent;

    /** Counted after each callback, so that {@link #close()} knows when the last one has returned. */
    private final LongAdder answered = new LongAdder();

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
        sent++;
        message.sendAsync().whenComplete(new Outcome(callback, answered));
    }

    /** One object a message. */
    private record Outcome(SendCallback callback, LongAdder answered)
            implements BiConsumer<@Nullable MessageId, @Nullable Throwable> {

        @Override
        public void accept(@Nullable MessageId id, @Nullable Throwable error) {
            if (error == null) {
                callback.acknowledged();
            } else {
                callback.failed(Calls.unwrapped(error));
            }
            answered.increment();
        }
    }

    /** Begins to release the client; what it still holds fails. */
    CompletableFuture<Void> abandon() {
        return client.closeAsync();
    }

    @Override
    public void close() throws DriverException {
        boolean interrupted = Thread.interrupted();
        if (!interrupted) {
            interrupted = flush();
        }
        // What is not confirmed by now fails with it.
        CompletableFuture<Void> closing = client.closeAsync();
        interrupted |= awaitAnswers(closing);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        long missing = sent - answered.sum();
        if (missing > 0) {
            throw new DriverException("Waited " + CLOSE_LIMIT.toMillis() + " ms for the producer of topic '" + topic
                    + "' to close: " + missing + " messages are without an answer");
        }
        if (closing.isCompletedExceptionally()) {
            throw new DriverException("Could not close the producer of topic '" + topic + "' in good order");
        }
    }

    /** Returns whether the thread was interrupted meanwhile. */
    private boolean flush() {
        try {
            client.flushAsync().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return true;
        } catch (ExecutionException | TimeoutException e) {
            // The callbacks of the messages that failed, or will be given up, tell more.
        }
        return false;
    }

    /** Waits until the client is closed and every callback has returned; returns whether it was interrupted meanwhile. */
    private boolean awaitAnswers(CompletableFuture<Void> closing) {
        boolean interrupted = false;
        long endNs = System.nanoTime() + CLOSE_LIMIT.toNanos();
        while ((!closing.isDone() || answered.sum() < sent) && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(POLL_NS);
            interrupted |= Thread.interrupted();
        }
        return interrupted;
    }
}
