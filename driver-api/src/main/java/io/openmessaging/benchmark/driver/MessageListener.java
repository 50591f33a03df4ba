package io.openmessaging.benchmark.driver;

import org.jspecify.annotations.Nullable;

/** The receiving end of one consumer. */
@FunctionalInterface
public interface MessageListener {

    /**
     * Receives a message. Called on the client's thread as soon as the client delivers the message, before the driver
     * acknowledges it. Calls for one consumer never overlap, and each sees the effects of the previous one; calls for
     * different consumers may run at the same time. Messages of one partition arrive in the order in which the client
     * delivers them. Does not throw, and blocks only if it {@link #mayBlock() may}.
     *
     * @param key the key given to {@link BenchmarkProducer#send}, or null if there was none
     * @param payload bytes of the message; the listener does not keep or change the array
     * @param partition from 0: the ordered part of the topic that the message was read from. Below
     *     {@link TopicSpec#partitions()}, except for {@linkplain DriverConnection#createReaders readers} of an
     *     existing topic, which receive the messages of all its partitions
     */
    void received(@Nullable String key, byte[] payload, int partition);

    /** Stands for the system's time of a message that has none. */
    long NO_TIME = Long.MIN_VALUE;

    /**
     * Receives a message with the time that the system stores with it, for drivers whose system has one, see
     * {@link BenchmarkDriver#messageTime}.
     *
     * @param timeMs epoch milliseconds, or {@link #NO_TIME} for a message without it
     */
    default void received(@Nullable String key, byte[] payload, int partition, long timeMs) {
        received(key, payload, partition);
    }

    /**
     * Returns whether a call may block its thread for a while, like an application that processes messages in its
     * listener. Such consumers do not wait for each other: if the client calls several of them on one thread, the
     * driver gives each a {@link DeliveryThread}. An interrupt ends the current call.
     */
    default boolean mayBlock() {
        return false;
    }

    /**
     * Returns a listener whose calls do not overlap, for a consumer whose client delivers messages on several threads.
     */
    static MessageListener oneAtATime(MessageListener listener) {
        Object lock = new Object();
        return new MessageListener() {
            @Override
            public void received(@Nullable String key, byte[] payload, int partition) {
                received(key, payload, partition, NO_TIME);
            }

            @Override
            public void received(@Nullable String key, byte[] payload, int partition, long timeMs) {
                synchronized (lock) {
                    listener.received(key, payload, partition, timeMs);
                }
            }
        };
    }
}
