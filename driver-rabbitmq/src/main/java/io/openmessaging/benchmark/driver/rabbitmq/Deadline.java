package io.openmessaging.benchmark.driver.rabbitmq;

import java.time.Duration;

/**
 * The end of a wait. Immutable.
 *
 * @param endNs on the scale of {@link System#nanoTime()}
 * @param limit how long the wait may take altogether, for the sentence that says it was not enough
 */
record Deadline(long endNs, Duration limit) {

    /** Begins to count now. */
    static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos(), limit);
    }

    /** What is left, 0 once the end has passed. */
    long leftNs() {
        return Math.max(0, endNs - System.nanoTime());
    }

    /** What is left, but no more than this, and at least 1, since clients take 0 for no limit at all. */
    int leftMs(Duration most) {
        return (int) Math.max(1, Math.min(most.toMillis(), leftNs() / 1_000_000));
    }

    /** Whether nothing is left. */
    boolean hasPassed() {
        return leftNs() == 0;
    }
}
