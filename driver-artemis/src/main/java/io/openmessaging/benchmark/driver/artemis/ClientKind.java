package io.openmessaging.benchmark.driver.artemis;

/** By what clients send and receive. Topics are created and the broker is asked by the core protocol with each of them. */
public enum ClientKind {

    /** The core client, by the core protocol. */
    CORE,

    /** Artemis' JMS client, on the core client. */
    JMS,

    /** Qpid JMS, by AMQP 1.0. */
    AMQP
}
