package io.openmessaging.benchmark.clock;

/**
 * Proof that a clock did not go as a clock should: it was set, stood still, or drifts faster than is allowed for. Offsets
 * that were told between the two moments may be wrong.
 *
 * @param sinceNs after when it moved, epoch nanoseconds of the coordinator
 * @param untilNs before when
 * @param movedNs by how much more than its drift allows, in nanoseconds, at least; below 0 if the worker's clock went back
 */
public record ClockBreak(long sinceNs, long untilNs, long movedNs) {

    /**
     * What follows from a lower bound that is above what an upper bound allows.
     *
     * @param leastNs of when the lower bound is
     * @param mostNs of when the upper bound is
     * @param excessNs by how much it is above
     */
    static ClockBreak between(long leastNs, long mostNs, long excessNs) {
        return leastNs > mostNs
                ? new ClockBreak(mostNs, leastNs, excessNs)
                : new ClockBreak(leastNs, mostNs, -excessNs);
    }
}
