package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code consumer}. Defaults are OMB's where it has the key, else the client's.
 *
 * @param receiverQueueSize how many messages of a partition a consumer asks for ahead; 10,000 if absent
 * @param subscriptionType how consumers share a subscription: Failover (if absent), Shared, Key_Shared or Exclusive
 * @param initialPosition where a new subscription begins: Latest (if absent) or Earliest
 * @param ackMode how messages are acknowledged
 * @param ackGroupTimeMs for how long acknowledgements are collected; 100 if absent, 0 to send each
 */
public record ConsumerConfig(
        Integer receiverQueueSize,
        SubscriptionType subscriptionType,
        SubscriptionInitialPosition initialPosition,
        AckMode ackMode,
        Integer ackGroupTimeMs)
        implements Checked {

    /** How messages are acknowledged. */
    public enum AckMode {
        /** Each by itself. */
        INDIVIDUAL,
        /** Each together with all that came before it in its partition. */
        CUMULATIVE
    }

    /** What an absent part stands for. */
    static final ConsumerConfig DEFAULTS = new ConsumerConfig(null, null, null, null, null);

    /** Puts the defaults in. */
    public ConsumerConfig(
            @Nullable Integer receiverQueueSize,
            @Nullable SubscriptionType subscriptionType,
            @Nullable SubscriptionInitialPosition initialPosition,
            @Nullable AckMode ackMode,
            @Nullable Integer ackGroupTimeMs) {
        this.receiverQueueSize = receiverQueueSize == null ? 10_000 : receiverQueueSize;
        this.subscriptionType = subscriptionType == null ? SubscriptionType.Failover : subscriptionType;
        this.initialPosition = initialPosition == null ? SubscriptionInitialPosition.Latest : initialPosition;
        this.ackMode = ackMode == null ? AckMode.INDIVIDUAL : ackMode;
        this.ackGroupTimeMs = ackGroupTimeMs == null ? 100 : ackGroupTimeMs;
    }

    @Override
    public void check(Problems problems) {
        problems.require(receiverQueueSize >= 1, "receiverQueueSize", "must be at least 1", receiverQueueSize);
        problems.require(ackGroupTimeMs >= 0, "ackGroupTimeMs", "must not be negative", ackGroupTimeMs);
        boolean oneReaderAPartition =
                subscriptionType == SubscriptionType.Failover || subscriptionType == SubscriptionType.Exclusive;
        problems.require(
                ackMode == AckMode.INDIVIDUAL || oneReaderAPartition,
                "ackMode",
                "must be INDIVIDUAL where consumers share a partition, as in " + subscriptionType,
                ackMode);
    }
}
