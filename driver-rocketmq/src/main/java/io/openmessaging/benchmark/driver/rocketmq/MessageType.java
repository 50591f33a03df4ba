package io.openmessaging.benchmark.driver.rocketmq;

/** The kind of a topic's messages, in RocketMQ's terms. */
public enum MessageType {
    /** Messages with the same group follow each other in one queue. */
    FIFO,
    /** Messages go to any queue, in any order. */
    NORMAL
}
