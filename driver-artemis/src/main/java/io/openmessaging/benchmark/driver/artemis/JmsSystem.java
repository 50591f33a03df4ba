package io.openmessaging.benchmark.driver.artemis;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Map;

/** A JMS client library. */
interface JmsSystem {

    /**
     * A connection. JMS stops and starts it as a whole, so each client has its own.
     *
     * @param jms the connection, not started
     * @param watch the watch to notify before closing
     * @param cut ends the connection without the broker
     */
    record Wire(Connection jms, ConnectionWatch watch, Runnable cut) {}

    /** Connects for sending; blocks. */
    Wire forProducer() throws Exception;

    /** Connects for receiving; blocks. */
    Wire forConsumer() throws Exception;

    /** An address that delivers each message to all of its queues. */
    Destination topic(String name);

    /** An address that delivers each message to one of its queues, or a queue. */
    Destination queue(String name);

    /** Writes headers to a message. */
    @FunctionalInterface
    interface HeaderWriter {

        void writeTo(Message message) throws JMSException;
    }

    /** Creates a writer of these headers for each message of a producer. */
    HeaderWriter headers(Map<String, String> headers);
}
