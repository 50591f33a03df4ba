package io.openmessaging.benchmark.driver.redis.read;

import java.time.Duration;

/**
 * How many messages a consumer asks for at once: no more than its listener takes in half a second. What Redis has handed out
 * has to be delivered before the consumer may pause or close, since no other consumer would get it. Begins with one message;
 * a fast listener gets as many as allowed from its second read on. Used by one thread.
 */
public final class ReadSize {

    private static final long DELIVERY_LIMIT_NS = Duration.ofMillis(500).toNanos();

    private final int max;
    private int next = 1;

    /**
     * For a consumer that has read nothing yet.
     *
     * @param max how many messages may be asked for, at least 1
     */
    public ReadSize(int max) {
        this.max = max;
    }

    /** How many to ask for next. */
    public int next() {
        return next;
    }

    /** Tells how long the listener took for the messages of a read; nothing follows from a read without messages. */
    public void delivered(int messages, long tookNs) {
        if (messages > 0) {
            next = (int) Math.max(1, Math.min(max, messages * DELIVERY_LIMIT_NS / Math.max(1, tookNs)));
        }
    }
}
