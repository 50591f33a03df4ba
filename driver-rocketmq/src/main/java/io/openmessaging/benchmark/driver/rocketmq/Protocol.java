package io.openmessaging.benchmark.driver.rocketmq;

/** How messages travel between clients and brokers. */
public enum Protocol {

    /** RocketMQ's own, from the clients straight to the brokers. */
    REMOTING,

    /** Through a proxy. Topics are still created over the remoting protocol. */
    GRPC
}
