package io.openmessaging.benchmark.coordinator;

import java.util.OptionalDouble;

/**
 * Chooses the rates to try in a search for the highest sustainable one: climb by doubling until a rate is not sustained
 * (or, if the first is not, descend by halving until one is), then bisect between the highest sustained and the lowest
 * refused rate until they are within {@link #PRECISION}. A rate counts as refused when it was refused twice in a row: one
 * hiccup is not the limit of a system.
 *
 * <p>Pure: it is told what became of a rate and says which is next. A search ends after at most {@link #MAX_STEPS}.
 */
public final class RateSearch {

    /** OMB's first rate, messages a second. */
    public static final double FIRST_RATE_MSG_PER_SEC = 10_000;

    /** The result is at most this factor below the lowest rate that was refused. */
    static final double PRECISION = 1.05;

    /** A bound on the length of any search: 27 doublings from 1 reach 10⁸ msg/s, and 5 refused twice may follow. */
    static final int MAX_STEPS = 40;

    private static final double FACTOR = 2;
    private static final double LOWEST_RATE_MSG_PER_SEC = 1;

    private double rate;
    private double highestSustained;
    private double lowestRefused = Double.POSITIVE_INFINITY;
    private int steps;
    private boolean refusedOnce;

    /** A search that begins with a rate. */
    public RateSearch(double firstRateMsgPerSec) {
        this.rate = firstRateMsgPerSec;
    }

    /** The rate to try next; empty once the search is over. */
    public OptionalDouble next() {
        boolean tooLow = highestSustained == 0 && lowestRefused <= LOWEST_RATE_MSG_PER_SEC;
        boolean precise = lowestRefused <= highestSustained * PRECISION;
        return steps >= MAX_STEPS || tooLow || precise ? OptionalDouble.empty() : OptionalDouble.of(rate);
    }

    /** What became of the rate that {@link #next()} gave. */
    public void report(boolean sustained) {
        steps++;
        if (!sustained && !refusedOnce) {
            refusedOnce = true;
            return;
        }
        refusedOnce = false;
        if (sustained) {
            highestSustained = rate;
        } else {
            lowestRefused = rate;
        }
        if (lowestRefused == Double.POSITIVE_INFINITY) {
            rate = highestSustained * FACTOR;
        } else if (highestSustained == 0) {
            rate = lowestRefused / FACTOR;
        } else {
            // The geometric mean halves the distance in the measure that precision is given in.
            rate = Math.sqrt(highestSustained * lowestRefused);
        }
    }

    /** The highest rate that was sustained; empty if none was. */
    public OptionalDouble sustainableRateMsgPerSec() {
        return highestSustained == 0 ? OptionalDouble.empty() : OptionalDouble.of(highestSustained);
    }

    /** The lowest rate that was tried and refused; infinity if none was. */
    double lowestRefusedMsgPerSec() {
        return lowestRefused;
    }
}
