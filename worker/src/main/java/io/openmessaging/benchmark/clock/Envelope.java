package io.openmessaging.benchmark.clock;

import org.jspecify.annotations.Nullable;

/**
 * Between what a worker's clock can be ahead of the coordinator's, by probes and two limits of its drift: exactly what they
 * prove, for there is a clock within the limits that has all their stamps and is ahead by the least of it, and one by the
 * most. Not thread-safe.
 */
final class Envelope {

    private final ClockDrift drift;
    private final Staircase most;
    /** Of the offset's negative: what is a lower bound to the offset is an upper one to that. */
    private final Staircase negatedLeast;

    Envelope(ClockDrift drift) {
        this.drift = drift;
        this.most = new Staircase(drift.slowest(), drift.fastest());
        this.negatedLeast = new Staircase(-drift.fastest(), -drift.slowest());
    }

    ClockDrift drift() {
        return drift;
    }

    /** By how much the clock can be ahead at a moment, at most; there is a point on both sides. */
    long mostAt(long timeNs) {
        return most.at(timeNs);
    }

    /** At least. */
    long leastAt(long timeNs) {
        return -negatedLeast.at(timeNs);
    }

    void addMost(long timeNs, long aheadNs) {
        most.add(timeNs, aheadNs);
    }

    void addLeast(long timeNs, long aheadNs) {
        negatedLeast.add(timeNs, -aheadNs);
    }

    /** Points of upper bounds. */
    Staircase most() {
        return most;
    }

    /** Points of lower bounds, negated. */
    Staircase negatedLeast() {
        return negatedLeast;
    }

    /** How many points are kept on the side that has more. */
    int size() {
        return Math.max(most.size(), negatedLeast.size());
    }

    /** Puts one point on each side, of the given moment, in the place of all before it. */
    void condense(long timeNs, long leastNs, long mostNs) {
        most.forgetBefore(timeNs);
        negatedLeast.forgetBefore(timeNs);
        addMost(timeNs, mostNs);
        addLeast(timeNs, leastNs);
    }

    /** The same points by other limits, which are within these. */
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

    /** The pair of points that exclude each other most; null if there is none. */
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
