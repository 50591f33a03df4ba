package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * The keys below {@code consumer}. Defaults are OMB's where it has the key, else the client's.
 *
 * @param receiverQueueSize number of messages of a partition that a consumer requests ahead
 * @param subscriptionType type of sharing among the consumers of a subscription: Failover, Shared, Key_Shared or
 *     Exclusive
 * @param initialPosition position at which a new subscription starts: Latest or Earliest
 * @param ackMode mode of acknowledgement
 * @param ackGroupTimeMs time for which acknowledgements are collected, milliseconds; 0 to send each one at once
 */
public record ConsumerConfig(
        @Default("10000") @Range(from = "1") int receiverQueueSize,
        @Default("Failover") SubscriptionType subscriptionType,
        @Default("Latest") SubscriptionInitialPosition initialPosition,
        @Default("INDIVIDUAL") AckMode ackMode,
        @Default("100") @Range(from = "0") int ackGroupTimeMs)
        implements Checked {

    /** The mode of acknowledgement. */
    public enum AckMode {
        /** Each message separately. */
        INDIVIDUAL,
        /** Each message together with all earlier ones of its partition. */
        CUMULATIVE
    }

    /** Returns a copy for new subscriptions that start at the oldest message and have one consumer. */
    ConsumerConfig fromTheOldest() {
        return new ConsumerConfig(
                receiverQueueSize,
                SubscriptionType.Failover,
                SubscriptionInitialPosition.Earliest,
                ackMode,
                ackGroupTimeMs);
    }

    @Override
    public void check(Problems problems) {
        boolean oneReaderAPartition =
                subscriptionType == SubscriptionType.Failover || subscriptionType == SubscriptionType.Exclusive;
        problems.require(
                ackMode == AckMode.INDIVIDUAL || oneReaderAPartition,
                "ackMode",
                "must be INDIVIDUAL when consumers share a partition, as with " + subscriptionType,
                ackMode);
    }
}
