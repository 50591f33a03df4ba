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
 * @param receiverQueueSize how many messages of a partition a consumer asks for ahead
 * @param subscriptionType how consumers share a subscription: Failover, Shared, Key_Shared or Exclusive
 * @param initialPosition where a new subscription begins: Latest or Earliest
 * @param ackMode how messages are acknowledged
 * @param ackGroupTimeMs for how long acknowledgements are collected; 0 to send each
 */
public record ConsumerConfig(
        @Default("10000") @Range(from = "1") int receiverQueueSize,
        @Default("Failover") SubscriptionType subscriptionType,
        @Default("Latest") SubscriptionInitialPosition initialPosition,
        @Default("INDIVIDUAL") AckMode ackMode,
        @Default("100") @Range(from = "0") int ackGroupTimeMs)
        implements Checked {

    /** How messages are acknowledged. */
    public enum AckMode {
        /** Each by itself. */
        INDIVIDUAL,
        /** Each together with all that came before it in its partition. */
        CUMULATIVE
    }

    /** The same, for new subscriptions that begin with the oldest message and have one consumer. */
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
                "must be INDIVIDUAL where consumers share a partition, as in " + subscriptionType,
                ackMode);
    }
}
