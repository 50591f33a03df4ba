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
 * @param batchingEnabled whether messages are sent in batches
 * @param batchingMaxPublishDelayMs how long a batch waits for more messages
 * @param batchingMaxBytes the size at which a batch is sent
 * @param batchingMaxMessages the number of messages at which a batch is sent; 0 for no limit
 * @param batcher which messages may share a batch
 * @param blockIfQueueFull whether a send waits while the limit of messages or memory is reached; if not, it fails
 * @param pendingQueueSize how many messages of a partition may wait for their confirmation; 0, also if absent, for no
 *     limit but that of the memory
 * @param maxPendingMessages the same by the client's name for it
 * @param sendTimeoutMs after how long a message without a confirmation fails; 0 for never, as in OMB
 * @param compression of batches, or of messages that are sent alone
 * @param deliverAfter for how long a message is held back from consumers; absent: not at all
 * @param transaction how messages are gathered in transactions; absent: not at all
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

    /** Which messages may share a batch. */
    public enum Batcher {
        /** All of a partition. */
        DEFAULT,
        /** Those of the same key: what Key_Shared subscriptions need to tell consumers by key. */
        KEY_BASED
    }

    @Override
    public void check(Problems problems) {
        problems.require(
                pendingQueueSize == null || maxPendingMessages == null,
                "maxPendingMessages",
                "must be left out beside pendingQueueSize: both are names of one limit",
                maxPendingMessages);
        problems.require(
                transaction == null || sendTimeoutMs == 0,
                "sendTimeoutMs",
                "must be 0 beside transaction: the client takes no other for messages of a transaction",
                sendTimeoutMs);
    }

    /** How many messages of a partition may wait for their confirmation; 0 for no limit. */
    int pending() {
        return requireNonNullElse(pendingQueueSize, requireNonNullElse(maxPendingMessages, 0));
    }
}
