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

/**
 * One Pulsar producer. It keeps payloads until they are sent, and blocks while its limits are reached, if configured
 * to.
 */
final class PulsarBenchmarkProducer implements BenchmarkProducer {

    /** Time for a broker to register the close; the client then gives up on unconfirmed messages. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    private final Producer<byte[]> client;
    private final String topic;
    private final MessageExtras extras;
    private final @Nullable Transactions transactions;
    private final Duration timeout;

    /** Counts an answer after the callback, so that {@link #close()} knows when the last one has returned. */
    private final Outstanding outstanding = new Outstanding();

    /**
     * Takes over the client.
     *
     * @param extras properties and delay of each message
     * @param transactions transactions to send in; null to send without
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

    // The stage that whenComplete returns would only repeat the outcome that the callback has received.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        if (Thread.interrupted()) {
            // The client would later treat the interrupt as a failure of the message.
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

    /** Returns a future that completes once messages can be sent. */
    CompletableFuture<PulsarBenchmarkProducer> ready() {
        return transactions == null
                ? CompletableFuture.completedFuture(this)
                : transactions.ready().thenApply(open -> this);
    }

    /** Starts to release the client; messages that it still holds fail. */
    CompletableFuture<Void> abandon() {
        CompletableFuture<Void> closing = client.closeAsync();
        return transactions == null ? closing : CompletableFuture.allOf(closing, transactions.abandon());
    }

    @Override
    public void close() throws DriverException {
        // The outcome of this wait is not needed: the callbacks of messages that fail or are given up report more.
        Deadline.in(timeout).awaitUnlessInterrupted(delivered());
        // Closing fails the messages that are still unconfirmed.
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
                    "the producer of topic '" + topic + "' to close: " + missing + " messages have not been answered",
                    null);
        }
        if (closing.isCompletedExceptionally()) {
            throw new DriverException("Could not close the producer of topic '" + topic + "' cleanly");
        }
    }

    /** Sends held-back messages. The future completes once all messages are confirmed. */
    private CompletableFuture<Void> delivered() {
        if (transactions == null) {
            return client.flushAsync();
        }
        transactions.commit();
        return outstanding.none();
    }
}
