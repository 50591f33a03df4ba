package io.openmessaging.benchmark.driver.pulsar;

import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import org.apache.pulsar.client.api.CompressionType;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code producer}. Defaults are OMB's where it has the key, else the client's.
 *
 * @param batchingEnabled whether messages are sent in batches; true if absent
 * @param batchingMaxPublishDelayMs how long a batch waits for more messages; 1 if absent
 * @param batchingMaxBytes the size at which a batch is sent; 1 MiB if absent
 * @param batchingMaxMessages the number of messages at which a batch is sent; 0, also if absent, for no limit
 * @param batcher which messages may share a batch
 * @param blockIfQueueFull whether a send waits while the limit of messages or memory is reached; if not, it fails. True
 *     if absent
 * @param pendingQueueSize how many messages of a partition may wait for their confirmation; 0, also if absent, for no
 *     limit but that of the memory
 * @param maxPendingMessages the same by the client's name for it
 * @param sendTimeoutMs after how long a message without a confirmation fails; 30,000 if absent, 0 for never
 * @param compression of batches, or of messages that are sent alone; none if absent
 */
public record ProducerConfig(
        Boolean batchingEnabled,
        Integer batchingMaxPublishDelayMs,
        Integer batchingMaxBytes,
        Integer batchingMaxMessages,
        Batcher batcher,
        Boolean blockIfQueueFull,
        @Nullable Integer pendingQueueSize,
        @Nullable Integer maxPendingMessages,
        Integer sendTimeoutMs,
        CompressionType compression)
        implements Checked {

    /** Which messages may share a batch. */
    public enum Batcher {
        /** All of a partition. */
        DEFAULT,
        /** Those of the same key: what Key_Shared subscriptions need to tell consumers by key. */
        KEY_BASED
    }

    private static final int DEFAULT_BATCH_BYTES = 1024 * 1024;

    private static final int DEFAULT_SEND_TIMEOUT_MS = 30_000;

    /** Puts the defaults in. */
    public ProducerConfig {
        batchingEnabled = requireNonNullElse(batchingEnabled, true);
        batchingMaxPublishDelayMs = requireNonNullElse(batchingMaxPublishDelayMs, 1);
        batchingMaxBytes = requireNonNullElse(batchingMaxBytes, DEFAULT_BATCH_BYTES);
        batchingMaxMessages = requireNonNullElse(batchingMaxMessages, 0);
        batcher = requireNonNullElse(batcher, Batcher.DEFAULT);
        blockIfQueueFull = requireNonNullElse(blockIfQueueFull, true);
        sendTimeoutMs = requireNonNullElse(sendTimeoutMs, DEFAULT_SEND_TIMEOUT_MS);
        compression = requireNonNullElse(compression, CompressionType.NONE);
    }

    @Override
    public void check(Problems problems) {
        problems.atLeast(1, "batchingMaxPublishDelayMs", batchingMaxPublishDelayMs);
        problems.atLeast(1, "batchingMaxBytes", batchingMaxBytes);
        problems.require(batchingMaxMessages >= 0, "batchingMaxMessages", "must not be negative", batchingMaxMessages);
        problems.require(pending() >= 0, pendingKey(), "must not be negative", pending());
        problems.require(
                pendingQueueSize == null || maxPendingMessages == null,
                "maxPendingMessages",
                "must be left out beside pendingQueueSize: both are names of one limit",
                maxPendingMessages);
        problems.require(sendTimeoutMs >= 0, "sendTimeoutMs", "must not be negative", sendTimeoutMs);
    }

    /** How many messages of a partition may wait for their confirmation; 0 for no limit. */
    int pending() {
        return requireNonNullElse(pendingQueueSize, requireNonNullElse(maxPendingMessages, 0));
    }

    private String pendingKey() {
        return pendingQueueSize == null && maxPendingMessages != null ? "maxPendingMessages" : "pendingQueueSize";
    }
}
