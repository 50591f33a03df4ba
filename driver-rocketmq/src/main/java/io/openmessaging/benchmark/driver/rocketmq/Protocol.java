package io.openmessaging.benchmark.driver.rocketmq;

/** The protocol between clients and brokers. */
public enum Protocol {

    /** RocketMQ's own protocol, from the clients directly to the brokers. */
    REMOTING,

    /** gRPC, through a proxy. Topics are still created over the remoting protocol. */
    GRPC
}
