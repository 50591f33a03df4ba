package io.openmessaging.benchmark.driver.rocketmq;

/** What the messages of a topic are, in RocketMQ's words. */
public enum MessageType {
    /** Those with the same group follow each other in one queue. */
    FIFO,
    /** Any queue, any order. */
    NORMAL
}
