package io.openmessaging.benchmark.driver.pulsar;

import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import org.apache.pulsar.client.api.CompressionType;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code producer}. Defaults are OMB's where it has the key, else the client's.
 *
 * @param batchingEnabled true to send messages in batches
 * @param batchingMaxPublishDelayMs time for which a batch waits for more messages, milliseconds
 * @param batchingMaxBytes size at which a batch is sent, bytes
 * @param batchingMaxMessages number of messages at which a batch is sent; 0 for no limit
 * @param batcher rule for which messages may share a batch
 * @param blockIfQueueFull true if a send waits while the limit of messages or memory is reached; if false, it fails
 * @param pendingQueueSize largest number of unconfirmed messages of a partition; 0 or absent for no limit but that of
 *     the memory
 * @param maxPendingMessages the client's name for {@code pendingQueueSize}
 * @param sendTimeoutMs time after which an unconfirmed message fails, milliseconds; 0 for never, as in OMB
 * @param compression compression of batches, or of messages sent alone
 * @param deliverAfter time for which a message is held back from consumers; absent: none
 * @param transaction grouping of messages into transactions; absent: no transactions
 */
public record ProducerConfig(
        @Default("true") boolean batchingEnabled,
        @Default("1") @Range(from = "1") int batchingMaxPublishDelayMs,
        @Default("1048576") @Range(from = "1") int batchingMaxBytes,
        @Range(from = "0") int batchingMaxMessages,
        @Default("DEFAULT") Batcher batcher,
        @Default("true") boolean blockIfQueueFull,
        @Range(from = "0") @Nullable Integer pendingQueueSize,
        @Range(from = "0") @Nullable Integer maxPendingMessages,
        @Range(from = "0") int sendTimeoutMs,
        @Default("NONE") CompressionType compression,
        @Range(from = "1ms", to = "1h") @Nullable Duration deliverAfter,
        @Nullable TransactionConfig transaction)
        implements Checked {

    /** The rule for which messages may share a batch. */
    public enum Batcher {
        /** All messages of a partition. */
        DEFAULT,
        /** Messages with the same key: Key_Shared subscriptions need this to choose consumers by key. */
        KEY_BASED
    }

    @Override
    public void check(Problems problems) {
        problems.require(
                pendingQueueSize == null || maxPendingMessages == null,
                "maxPendingMessages",
                "must be absent with pendingQueueSize: both set the same limit",
                maxPendingMessages);
        problems.require(
                transaction == null || sendTimeoutMs == 0,
                "sendTimeoutMs",
                "must be 0 with transaction: the client accepts no other value for its messages",
                sendTimeoutMs);
    }

    /** Returns the largest number of unconfirmed messages of a partition; 0 for no limit. */
    int pending() {
        return requireNonNullElse(pendingQueueSize, requireNonNullElse(maxPendingMessages, 0));
    }

    /**
     * The keys below {@code producer.transaction}: when a transaction of a producer is committed.
     *
     * @param messages largest number of messages in a transaction
     * @param maxTime time after its first message when a transaction is committed even if it holds fewer
     */
    public record TransactionConfig(
            @Default("100") @Range(from = "1", to = "100_000")
            int messages,

            @Default("100ms") @Range(from = "1ms", to = "10s")
            Duration maxTime) {}
}
