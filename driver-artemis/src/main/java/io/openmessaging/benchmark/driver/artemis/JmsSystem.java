package io.openmessaging.benchmark.driver.artemis;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Map;

/** A JMS client. */
interface JmsSystem {

    /**
     * A connection, which JMS stops and starts as a whole: each client has its own.
     *
     * @param jms not started
     * @param watch told before it is closed
     * @param cut ends it without the broker
     */
    record Wire(Connection jms, ConnectionWatch watch, Runnable cut) {}

    /** Connects to send; blocks. */
    Wire forProducer() throws Exception;

    /** Connects to receive; blocks. */
    Wire forConsumer() throws Exception;

    /** An address from which each of its queues gets every message. */
    Destination topic(String name);

    /** An address from which one of its queues gets a message, or a queue. */
    Destination queue(String name);

    /** Puts headers on a message. */
    @FunctionalInterface
    interface HeaderWriter {

        void writeTo(Message message) throws JMSException;
    }

    /** What puts these on each message of a producer. */
    HeaderWriter headers(Map<String, String> headers);
}
