package io.openmessaging.benchmark.clock;

import org.jspecify.annotations.Nullable;

/**
 * The limits of how far a worker's clock can be ahead of the coordinator's, from probes and two limits of its drift.
 * The limits are exactly what these prove: some clock within the drift limits has all these stamps and is ahead by the
 * lower limit, and another by the upper limit. Not thread-safe.
 */
final class Envelope {

    private final ClockDrift drift;
    private final Staircase most;
    /** Bounds of the negated offset: a lower bound of the offset is an upper bound of its negative. */
    private final Staircase negatedLeast;

    Envelope(ClockDrift drift) {
        this.drift = drift;
        this.most = new Staircase(drift.slowest(), drift.fastest());
        this.negatedLeast = new Staircase(-drift.fastest(), -drift.slowest());
    }

    ClockDrift drift() {
        return drift;
    }

    /** Returns by how much the clock can be ahead at a time, at most; needs a point on both sides. */
    long mostAt(long timeNs) {
        return most.at(timeNs);
    }

    /** Returns by how much the clock must be ahead at a time, at least. */
    long leastAt(long timeNs) {
        return -negatedLeast.at(timeNs);
    }

    void addMost(long timeNs, long aheadNs) {
        most.add(timeNs, aheadNs);
    }

    void addLeast(long timeNs, long aheadNs) {
        negatedLeast.add(timeNs, -aheadNs);
    }

    /** Returns the points of upper bounds. */
    Staircase most() {
        return most;
    }

    /** Returns the points of lower bounds, negated. */
    Staircase negatedLeast() {
        return negatedLeast;
    }

    /** Returns the number of points on the side that has more. */
    int size() {
        return Math.max(most.size(), negatedLeast.size());
    }

    /** Replaces all points before a time by one point on each side at that time. */
    void condense(long timeNs, long leastNs, long mostNs) {
        most.forgetBefore(timeNs);
        negatedLeast.forgetBefore(timeNs);
        addMost(timeNs, mostNs);
        addLeast(timeNs, leastNs);
    }

    /** Returns the same points under narrower limits of drift. */
    Envelope within(ClockDrift other) {
        Envelope narrower = new Envelope(other);
        for (int i = 0; i < most.size(); i++) {
            narrower.addMost(most.time(i), most.value(i));
        }
        for (int i = 0; i < negatedLeast.size(); i++) {
            narrower.addLeast(negatedLeast.time(i), -negatedLeast.value(i));
        }
        return narrower;
    }

    /** Returns the pair of points that contradict each other most; null if there is none. */
    @Nullable
    ClockBreak contradiction() {
        ClockBreak largest = null;
        for (int i = 0; i < negatedLeast.size(); i++) {
            long timeNs = negatedLeast.time(i);
            long excessNs = -negatedLeast.value(i) - mostAt(timeNs);
            if (excessNs > 0 && (largest == null || excessNs > Math.abs(largest.movedNs()))) {
                largest = ClockBreak.between(timeNs, most.reasonAt(timeNs), excessNs);
            }
        }
        return largest;
    }
}
