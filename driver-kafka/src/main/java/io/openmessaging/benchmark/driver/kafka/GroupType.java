package io.openmessaging.benchmark.driver.kafka;

/** How consumers of a subscription share its messages. */
public enum GroupType {
    /** Each partition is read by one consumer, in order. */
    CONSUMER,
    /** Each message goes to any one consumer that has room; several consumers read one partition. */
    SHARE
}
