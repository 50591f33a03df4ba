package io.openmessaging.benchmark.driver;

import org.jspecify.annotations.Nullable;

/** The receiving end of one consumer. */
@FunctionalInterface
public interface MessageListener {

    /**
     * A message has arrived. Called on the client's thread as soon as the client hands the message over, before the
     * driver acknowledges it. Calls for one consumer never overlap and each sees what the one before it did; calls for
     * different consumers may run at the same time. Messages of one partition come in the order in which the client
     * delivers them. Does not throw, and blocks only if it {@link #mayBlock() may}.
     *
     * @param key the key given to {@link BenchmarkProducer#send}, or null if there was none
     * @param payload the message's bytes; the listener does not keep or change the array
     * @param partition from 0: the ordered part of the topic that the message was read from. Below {@link
     *     TopicSpec#partitions()}, but for {@linkplain DriverConnection#createReaders readers} of an existing topic, which get
     *     the messages of all its partitions
     */
    void received(@Nullable String key, byte[] payload, int partition);

    /** In place of the system's time of a message that has none. */
    long NO_TIME = Long.MIN_VALUE;

    /**
     * The same with the time that the system keeps with a message, for drivers whose system has one, see {@link
     * BenchmarkDriver#messageTime}.
     *
     * @param timeMs epoch milliseconds, or {@link #NO_TIME} for a message without it
     */
    default void received(@Nullable String key, byte[] payload, int partition, long timeMs) {
        received(key, payload, partition);
    }

    /**
     * Whether a call may keep its thread for a while, as an application does that handles messages where it gets them. Such
     * consumers do not wait for each other: where the client calls several of them on one thread, the driver gives each a
     * {@link DeliveryThread}. An interrupt ends the current call.
     */
    default boolean mayBlock() {
        return false;
    }

    /** A listener whose calls do not overlap, for a consumer of which several threads of the client get messages. */
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
