package io.openmessaging.benchmark.driver.rocketmq.client;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Delivers the messages of a gRPC consumer early enough to acknowledge them. A proxy hides a received message for a
 * limited time and then hands it out again, which would look like a duplicate by RocketMQ. So a slow listener gets
 * fewer messages at a time, and if a batch takes too long nevertheless, its rest is left to the proxy. Used by one
 * thread.
 */
public final class BatchDelivery {

    /** Time for which a received message stays hidden from other consumers until it is acknowledged. */
    public static final Duration HIDDEN = Duration.ofSeconds(60);

    /** Time that a batch should take. */
    private static final long USUAL_NS = HIDDEN.dividedBy(6).toNanos();

    /** Time after which no delivery starts. The last one and its acknowledgement have the rest. */
    private static final long LIMIT_NS = HIDDEN.dividedBy(2).toNanos();

    /** Largest growth between two requests: a listener may be fast with a few messages and then become slow. */
    private static final int GROWTH = 2;

    private final int max;
    private final LongSupplier nanoTime;
    private int next = 1;

    /**
     * Starts with one message, since the listener's speed is not known.
     *
     * @param max largest number of messages to request, at least 1
     * @param nanoTime the clock
     */
    public BatchDelivery(int max, LongSupplier nanoTime) {
        this.max = max;
        this.nanoTime = nanoTime;
    }

    /** Returns the number of messages to request next. */
    public int next() {
        return next;
    }

    /** Delivers messages that were received just now, or the first of them. */
    public <M> void deliver(List<M> messages, Consumer<M> listener) {
        long startNs = nanoTime.getAsLong();
        long tookNs = 0;
        int delivered = 0;
        while (delivered < messages.size() && tookNs < LIMIT_NS) {
            listener.accept(messages.get(delivered));
            delivered++;
            tookNs = nanoTime.getAsLong() - startNs;
        }
        if (delivered > 0) {
            long inTime = delivered * USUAL_NS / Math.max(1, tookNs);
            next = (int) Math.max(1, Math.min(inTime, Math.min(max, GROWTH * delivered)));
        }
    }
}
