package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Duration;

/**
 * The keys of an in-memory driver's YAML file. A key that is absent arrives as null or 0 and gets its default here.
 *
 * @param delivery which thread delivers; default {@link Delivery#DIRECT}
 * @param queueCapacity messages that may wait for the thread of one consumer before {@code send} blocks, rounded up to a
 *     power of two; default 4096: some milliseconds of a fast producer
 * @param maxBacklogBytes how much the paused consumers of the broker together let pile up, counted as payload bytes plus
 *     {@value Message#OVERHEAD_BYTES} a message; once it is reached, {@code send} blocks and at the run's timeout fails;
 *     default 1 GiB
 * @param ackDelay time from a send to its acknowledgement, on a thread of its own; default 0: during the send
 * @param deliveryDelay time from a send to the delivery at the earliest; default 0
 * @param faults what goes wrong; default nothing
 */
public record InMemoryConfig(
        Delivery delivery,
        Integer queueCapacity,
        Long maxBacklogBytes,
        Duration ackDelay,
        Duration deliveryDelay,
        Faults faults)
        implements Checked {

    /** Which thread calls the listeners. */
    public enum Delivery {

        /**
         * The thread that sends, before {@code send} returns: no queue, no copy, no allocation. Only after a pause does
         * a consumer have a thread, until it has caught up.
         */
        DIRECT,

        /** A thread for each consumer, as with a real client; {@code send} blocks while a consumer's queue is full. */
        QUEUED
    }

    private static final int DEFAULT_QUEUE_CAPACITY = 4096;
    private static final int MIN_QUEUE_CAPACITY = 4;
    private static final int MAX_QUEUE_CAPACITY = 1 << 24;
    private static final long DEFAULT_MAX_BACKLOG_BYTES = 1L << 30;

    /** Puts the defaults in the place of null. */
    public InMemoryConfig {
        delivery = delivery == null ? Delivery.DIRECT : delivery;
        queueCapacity = queueCapacity == null ? DEFAULT_QUEUE_CAPACITY : queueCapacity;
        maxBacklogBytes = maxBacklogBytes == null ? DEFAULT_MAX_BACKLOG_BYTES : maxBacklogBytes;
        ackDelay = ackDelay == null ? Duration.ZERO : ackDelay;
        deliveryDelay = deliveryDelay == null ? Duration.ZERO : deliveryDelay;
        faults = faults == null ? Faults.NONE : faults;
    }

    /** The defaults with this delivery. */
    public static InMemoryConfig of(Delivery delivery) {
        return new InMemoryConfig(
                delivery, DEFAULT_QUEUE_CAPACITY, DEFAULT_MAX_BACKLOG_BYTES, Duration.ZERO, Duration.ZERO, Faults.NONE);
    }

    /** The same with other faults. */
    public InMemoryConfig with(Faults otherFaults) {
        return new InMemoryConfig(delivery, queueCapacity, maxBacklogBytes, ackDelay, deliveryDelay, otherFaults);
    }

    /** Leaves out the faults, which are asked themselves. */
    @Override
    public void check(Problems problems) {
        problems.require(
                queueCapacity >= MIN_QUEUE_CAPACITY && queueCapacity <= MAX_QUEUE_CAPACITY,
                "queueCapacity",
                "must be from " + MIN_QUEUE_CAPACITY + " to " + MAX_QUEUE_CAPACITY,
                queueCapacity);
        problems.require(maxBacklogBytes >= 1, "maxBacklogBytes", "must be at least 1", maxBacklogBytes);
        checkDelay(problems, "ackDelay", ackDelay);
        checkDelay(problems, "deliveryDelay", deliveryDelay);
    }

    private void checkDelay(Problems problems, String key, Duration delay) {
        String asWritten = delay.toMillis() + "ms";
        problems.require(!delay.isNegative(), key, "must not be negative", asWritten);
        problems.require(
                delay.isZero() || delivery == Delivery.QUEUED, key, "must be 0 unless delivery is QUEUED", asWritten);
    }
}
