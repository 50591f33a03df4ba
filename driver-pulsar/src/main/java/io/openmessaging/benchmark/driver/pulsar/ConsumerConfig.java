package io.openmessaging.benchmark.driver.pulsar;

import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

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

    /** Puts the defaults in. */
    public ConsumerConfig {
        receiverQueueSize = requireNonNullElse(receiverQueueSize, 10_000);
        subscriptionType = requireNonNullElse(subscriptionType, SubscriptionType.Failover);
        initialPosition = requireNonNullElse(initialPosition, SubscriptionInitialPosition.Latest);
        ackMode = requireNonNullElse(ackMode, AckMode.INDIVIDUAL);
        ackGroupTimeMs = requireNonNullElse(ackGroupTimeMs, 100);
    }

    @Override
    public void check(Problems problems) {
        problems.atLeast(1, "receiverQueueSize", receiverQueueSize);
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
