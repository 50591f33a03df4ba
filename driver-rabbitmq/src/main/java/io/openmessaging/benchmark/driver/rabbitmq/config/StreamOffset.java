package io.openmessaging.benchmark.driver.rabbitmq.config;

/** Where a subscription begins to read a stream. */
public enum StreamOffset {

    /** With the oldest message. */
    FIRST,

    /** With the last chunk that is there. */
    LAST,

    /** With what is published from now on. */
    NEXT,

    /** With the chunk that holds the time of {@code offsetTimestamp}. */
    TIMESTAMP
}
