package io.openmessaging.benchmark.driver.artemis;

/** Clients for sending and receiving. Topics are always created over the core protocol. */
public enum ClientKind {

    /** The core client, over the core protocol. */
    CORE,

    /** Artemis' JMS client, on top of the core client. */
    JMS,

    /** Qpid JMS, over AMQP 1.0. */
    AMQP
}
