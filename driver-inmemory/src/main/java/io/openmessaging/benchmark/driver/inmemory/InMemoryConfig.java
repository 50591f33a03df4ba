package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;

/**
 * The keys of an in-memory driver's YAML file.
 *
 * @param delivery the thread that delivers
 * @param queueCapacity messages that may wait for the thread of one consumer before {@code send} blocks, rounded up to
 *     a power of two; the default lasts a fast producer some milliseconds
 * @param maxBacklogBytes largest total backlog of the broker's paused consumers, counted as payload bytes plus {@value
 *     Message#OVERHEAD_BYTES} per message; once it is reached, {@code send} blocks, and fails at the run's timeout
 * @param ackDelay time from a send to its acknowledgement, on a separate thread; 0: during the send
 * @param deliveryDelay minimum time from a send to the delivery
 * @param faults faults to inject
 */
public record InMemoryConfig(
        @Default("DIRECT") Delivery delivery,

        @Default("" + DEFAULT_QUEUE_CAPACITY) @Range(from = "4", to = "16_777_216")
        int queueCapacity,

        @Default("" + DEFAULT_MAX_BACKLOG_BYTES) @Range(from = "1")
        long maxBacklogBytes,

        @Default("0s") Duration ackDelay,
        @Default("0s") Duration deliveryDelay,
        @Default("{}") Faults faults)
        implements Checked {

    /** The thread that calls the listeners. */
    public enum Delivery {

        /**
         * The sending thread, before {@code send} returns: no queue, no copy, no allocation. A consumer has a thread
         * only after a pause, until it has caught up; a consumer whose listener may block always has one.
         */
        DIRECT,

        /** A thread for each consumer, as with a real client; {@code send} blocks while a consumer's queue is full. */
        QUEUED
    }

    private static final int DEFAULT_QUEUE_CAPACITY = 4096;
    private static final long DEFAULT_MAX_BACKLOG_BYTES = 1L << 30;

    /** Returns the defaults with this delivery. */
    public static InMemoryConfig of(Delivery delivery) {
        return new InMemoryConfig(
                delivery, DEFAULT_QUEUE_CAPACITY, DEFAULT_MAX_BACKLOG_BYTES, Duration.ZERO, Duration.ZERO, Faults.NONE);
    }

    @Override
    public void check(Problems problems) {
        checkDelay(problems, "ackDelay", ackDelay);
        checkDelay(problems, "deliveryDelay", deliveryDelay);
    }

    private void checkDelay(Problems problems, String key, Duration delay) {
        problems.require(
                delay.isZero() || delivery == Delivery.QUEUED,
                key,
                "must be 0 unless delivery is QUEUED",
                delay.toMillis() + "ms");
    }
}
