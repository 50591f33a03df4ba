package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.Producer;
import org.jspecify.annotations.Nullable;

/** One Pulsar producer. It keeps payloads until they are sent, and blocks while its limits are reached, if so set. */
final class PulsarBenchmarkProducer implements BenchmarkProducer {

    /** For a broker to take note; the client then gives up on what is not confirmed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    private final Producer<byte[]> client;
    private final String topic;
    private final MessageExtras extras;
    private final @Nullable Transactions transactions;
    private final Duration timeout;

    /** Counts an answer after the callback, so that {@link #close()} knows when the last one has returned. */
    private final Outstanding outstanding = new Outstanding();

    /**
     * Takes the client over.
     *
     * @param extras of each message
     * @param transactions to send in; null to send without
     */
    PulsarBenchmarkProducer(
            Producer<byte[]> client,
            String topic,
            MessageExtras extras,
            @Nullable Transactions transactions,
            Duration timeout) {
        this.client = client;
        this.topic = topic;
        this.extras = extras;
        this.transactions = transactions;
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
        if (transactions == null) {
            outstanding.sent();
            extras.fill(client.newMessage(), key, payload)
                    .sendAsync()
                    .whenComplete(new SendCompletion(callback, outstanding));
        } else {
            transactions.send(client, extras, key, payload, callback, outstanding);
        }
    }

    /** Complete once messages can be sent. */
    CompletableFuture<PulsarBenchmarkProducer> ready() {
        return transactions == null
                ? CompletableFuture.completedFuture(this)
                : transactions.ready().thenApply(open -> this);
    }

    /** Begins to release the client; what it still holds fails. */
    CompletableFuture<Void> abandon() {
        CompletableFuture<Void> closing = client.closeAsync();
        return transactions == null ? closing : CompletableFuture.allOf(closing, transactions.abandon());
    }

    @Override
    public void close() throws DriverException {
        // The callbacks of the messages that fail, or will be given up, tell more than this.
        Deadline.in(timeout).awaitUnlessInterrupted(delivered());
        // What is not confirmed by now fails with it.
        CompletableFuture<Void> closing = client.closeAsync();
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        deadline.awaitEnd(closing.exceptionally(error -> null));
        if (transactions != null) {
            deadline.awaitEnd(transactions.abandon());
        }
        deadline.awaitEnd(outstanding.none());
        long missing = outstanding.count();
        if (missing > 0) {
            throw deadline.missed(
                    "the producer of topic '" + topic + "' to close: " + missing + " messages are without an answer",
                    null);
        }
        if (closing.isCompletedExceptionally()) {
            throw new DriverException("Could not close the producer of topic '" + topic + "' cleanly");
        }
    }

    /** Sends what is held back. Complete once all messages are confirmed. */
    private CompletableFuture<Void> delivered() {
        if (transactions == null) {
            return client.flushAsync();
        }
        transactions.commit();
        return outstanding.none();
    }
}
