package io.openmessaging.benchmark.driver.redis;

/** The Redis feature that carries the messages. */
public enum RedisMode {

    /** Streams with a consumer group for each subscription: {@code XADD}, {@code XREADGROUP}, {@code XACK}. */
    STREAM,

    /** Publish/subscribe: {@code PUBLISH}, {@code SUBSCRIBE}. Nothing is stored. */
    PUBSUB,

    /** A list for each subscription: {@code LPUSH}, {@code BLMPOP}. */
    LIST
}
