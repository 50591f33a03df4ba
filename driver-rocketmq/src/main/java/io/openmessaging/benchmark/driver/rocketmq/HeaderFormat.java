package io.openmessaging.benchmark.driver.rocketmq;

/** How the header of a remoting request is written. The names are RocketMQ's own, of its {@code SerializeType}. */
public enum HeaderFormat {

    /** As text: what RocketMQ's client does unless told otherwise. */
    JSON,

    /** In binary: what RocketMQ's own benchmark does. */
    ROCKETMQ
}
