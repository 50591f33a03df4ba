package io.openmessaging.benchmark.driver.artemis;

/**
 * Clients for sending and receiving. With each of them, the core protocol is used to create topics and to query the
 * broker.
 */
public enum ClientKind {

    /** The core client, over the core protocol. */
    CORE,

    /** Artemis' JMS client, on top of the core client. */
    JMS,

    /** Qpid JMS, over AMQP 1.0. */
    AMQP
}
