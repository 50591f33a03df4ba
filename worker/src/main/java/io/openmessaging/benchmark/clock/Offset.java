package io.openmessaging.benchmark.clock;

/**
 * How far a worker's clock is from the coordinator's at a moment: the true value is within {@code aheadNs ± boundNs}.
 *
 * @param aheadNs how much more the worker's clock shows, in nanoseconds; below 0 for one that is behind
 * @param boundNs by how much {@code aheadNs} can be wrong, in nanoseconds; never below 0
 */
public record Offset(long aheadNs, long boundNs) {

    /** That of a clock to itself. */
    public static final Offset NONE = new Offset(0, 0);

    /** Refuses a bound below 0. */
    public Offset {
        if (boundNs < 0) {
            throw new IllegalArgumentException("The bound of an offset is " + boundNs + " ns, not 0 or more");
        }
    }
}
