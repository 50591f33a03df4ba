package io.openmessaging.benchmark.driver.kafka;

/** How consumers of a subscription share its messages. */
public enum GroupType {
    /** Each partition is read by one of them, in order. */
    CONSUMER,
    /** Each message is given to one of them, whichever has room; several read one partition. */
    SHARE
}
