package io.openmessaging.benchmark.calibrate;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Chooses the rates to try: first those of the {@link #LADDER}, each of which is worth knowing; then, from the highest of
 * them that was held, doubled until a rate is refused, and bisected between the highest held and the lowest refused one.
 *
 * <p>A rate counts as refused when it was refused twice in a row: one hiccup of the machine is not the limit of the
 * harness. Of rates that contradict each other, the higher one that was held counts.
 *
 * <p>Pure: it is told what became of a rate and says which is next. A search ends after at most {@link #MAX_TRIALS}.
 */
final class CeilingSearch {

    /** Messages a second. */
    static final List<Double> LADDER = List.of(1_000.0, 10_000.0, 100_000.0, 1_000_000.0);

    /** A bound on the length of any search: the ladder, 10 doublings and 6 bisections, half of them refused twice. */
    static final int MAX_TRIALS = 32;

    private static final double FACTOR = 2;

    private final double precision;
    private int rung;
    private int trials;
    private boolean refusedOnce;
    private double rate = LADDER.get(0);
    private double highestHeld;
    private double lowestRefused = Double.POSITIVE_INFINITY;

    /**
     * A search that has tried nothing.
     *
     * @param precision it ends when the lowest refused rate is at most this factor above the highest held one
     */
    CeilingSearch(double precision) {
        this.precision = precision;
    }

    /** The rate to try next, messages a second; empty once the search is over. */
    OptionalDouble next() {
        boolean ladderDone = rung == LADDER.size();
        boolean found = ladderDone && (highestHeld == 0 || lowestRefused <= highestHeld * precision);
        return found || trials >= MAX_TRIALS ? OptionalDouble.empty() : OptionalDouble.of(rate);
    }

    /** What became of the rate that {@link #next()} gave. */
    void report(boolean held) {
        trials++;
        if (!held && !refusedOnce) {
            refusedOnce = true;
            return;
        }
        refusedOnce = false;
        if (held) {
            highestHeld = Math.max(highestHeld, rate);
            if (lowestRefused <= highestHeld) {
                lowestRefused = Double.POSITIVE_INFINITY;
            }
        } else {
            lowestRefused = Math.min(lowestRefused, rate);
        }
        rung = Math.min(rung + 1, LADDER.size());
        rate = rung < LADDER.size() ? LADDER.get(rung) : beyondTheLadder();
    }

    private double beyondTheLadder() {
        // The geometric mean halves the distance in the measure that precision is given in.
        return lowestRefused == Double.POSITIVE_INFINITY
                ? highestHeld * FACTOR
                : Math.sqrt(highestHeld * lowestRefused);
    }

    /** The highest rate that was held, messages a second; empty if none was. */
    OptionalDouble ceilingMsgPerSec() {
        return highestHeld == 0 ? OptionalDouble.empty() : OptionalDouble.of(highestHeld);
    }
}
