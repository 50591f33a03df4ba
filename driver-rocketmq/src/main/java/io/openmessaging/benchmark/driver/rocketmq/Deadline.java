package io.openmessaging.benchmark.driver.rocketmq;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

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

    /** What is left for a request; at least 1. */
    long leftMs() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs()));
    }

    /** Whether nothing is left. */
    boolean hasPassed() {
        return leftNs() == 0;
    }

    /** Sleeps for a while, but not beyond the end. */
    void pause(Duration pause) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.min(pause.toNanos(), leftNs()));
    }
}
