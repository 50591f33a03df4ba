package io.openmessaging.benchmark.clock;

/**
 * The offset of a worker's clock from the coordinator's at a time: the true value is within {@code aheadNs ± boundNs}.
 *
 * @param aheadNs how far the worker's clock is ahead, nanoseconds; below 0 if it is behind
 * @param boundNs the largest error of {@code aheadNs}, nanoseconds; never below 0
 */
public record Offset(long aheadNs, long boundNs) {

    /** The offset of a clock from itself. */
    public static final Offset NONE = new Offset(0, 0);

    /** Rejects a bound below 0. */
    public Offset {
        if (boundNs < 0) {
            throw new IllegalArgumentException("The bound of an offset is " + boundNs + " ns, not 0 or more");
        }
    }
}
