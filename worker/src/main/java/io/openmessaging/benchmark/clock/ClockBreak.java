package io.openmessaging.benchmark.clock;

/**
 * Proof that a clock did not run as a clock should: it was set, stood still, or drifts faster than is allowed for.
 * Offsets that were reported between the two times may be wrong.
 *
 * @param sinceNs time after which the clock moved, epoch nanoseconds of the coordinator
 * @param untilNs time before which it moved, epoch nanoseconds of the coordinator
 * @param movedNs lower limit of its movement beyond what drift allows, nanoseconds; below 0 if the worker's clock went
 *     back
 */
public record ClockBreak(long sinceNs, long untilNs, long movedNs) {

    /**
     * Derives the break from a lower bound that is above the value that an upper bound allows.
     *
     * @param leastNs time of the lower bound
     * @param mostNs time of the upper bound
     * @param excessNs by how much the lower bound is above
     */
    static ClockBreak between(long leastNs, long mostNs, long excessNs) {
        return leastNs > mostNs
                ? new ClockBreak(mostNs, leastNs, excessNs)
                : new ClockBreak(leastNs, mostNs, -excessNs);
    }
}
