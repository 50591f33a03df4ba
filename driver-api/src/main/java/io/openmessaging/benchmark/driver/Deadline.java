package io.openmessaging.benchmark.driver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The end of a wait: of a control call, which may take {@link DriverContext#timeout()} over all of its steps. Immutable.
 *
 * @param endNs on the scale of {@link System#nanoTime()}
 * @param limit how long the wait may take altogether, for the sentence that says it was not enough
 */
public record Deadline(long endNs, Duration limit) {

    /** Begins to count now. */
    public static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos(), limit);
    }

    /** What is left, 0 once the end has passed. */
    public long leftNs() {
        return Math.max(0, endNs - System.nanoTime());
    }

    /** What is left in the form that clients' requests take; at least 1, since many take 0 for no limit at all. */
    public int leftMs() {
        return leftMs(Duration.ofMillis(Integer.MAX_VALUE));
    }

    /** As {@link #leftMs()}, but no more than this, itself at most {@link Integer#MAX_VALUE} ms. */
    public int leftMs(Duration most) {
        return (int) Math.max(1, Math.min(most.toMillis(), TimeUnit.NANOSECONDS.toMillis(leftNs())));
    }

    /** Whether nothing is left. */
    public boolean hasPassed() {
        return leftNs() == 0;
    }

    /** Sleeps for a while, but not beyond the end. */
    public void pause(Duration pause) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.min(pause.toNanos(), leftNs()));
    }
}
