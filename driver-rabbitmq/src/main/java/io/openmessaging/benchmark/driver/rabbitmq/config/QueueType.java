package io.openmessaging.benchmark.driver.rabbitmq.config;

/** What a topic's messages are kept in. */
public enum QueueType {

    /** A classic queue for each partition and subscription. */
    CLASSIC,

    /** A quorum queue for each partition and subscription: replicated, always on disk. */
    QUORUM,

    /** One stream, which all subscriptions read. */
    STREAM,

    /** A stream for each partition, which all subscriptions read. */
    SUPER_STREAM;

    /** Whether messages travel over the stream protocol. */
    public boolean isStream() {
        return this == STREAM || this == SUPER_STREAM;
    }
}
