package io.openmessaging.benchmark.driver.redis.read;

import java.time.Duration;

/**
 * The number of messages a consumer requests at once: no more than its listener handles in half a second. Messages
 * that Redis has handed out must be delivered before the consumer may pause or close, since no other consumer would
 * receive them. Starts with one message; a fast listener gets the maximum from its second read on. Used by one thread.
 */
public final class ReadSize {

    private static final long DELIVERY_LIMIT_NS = Duration.ofMillis(500).toNanos();

    private final int max;
    private int next = 1;

    /**
     * Starts with one message.
     *
     * @param max largest number of messages to request, at least 1
     */
    public ReadSize(int max) {
        this.max = max;
    }

    /** Returns the number of messages to request next. */
    public int next() {
        return next;
    }

    /** Records how long the listener took for the messages of a read; a read without messages changes nothing. */
    public void delivered(int messages, long tookNs) {
        if (messages > 0) {
            next = (int) Math.max(1, Math.min(max, messages * DELIVERY_LIMIT_NS / Math.max(1, tookNs)));
        }
    }
}
