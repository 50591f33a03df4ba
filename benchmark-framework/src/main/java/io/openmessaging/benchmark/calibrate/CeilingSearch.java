package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.search.RateSearch;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the rates to try: first those of the {@link #LADDER}, each of which is worth knowing, again if it was
 * refused; then, from twice the highest of them that was held, those of a {@link RateSearch}, which confirms what it
 * finds.
 *
 * <p>Pure: it receives the outcome of a rate and returns the next one. A search ends after at most
 * {@link #MAX_TRIALS}.
 */
final class CeilingSearch {

    /** Rates in messages a second. */
    static final List<Double> LADDER = List.of(1_000.0, 10_000.0, 100_000.0, 1_000_000.0);

    /** A bound on the length of any search. */
    static final int MAX_TRIALS = 2 * LADDER.size() + RateSearch.MAX_TRIES;

    private static final double FACTOR = 2;

    private final double precision;
    private int rung;
    private boolean refusedOnce;
    private double highestHeld;
    private @Nullable RateSearch beyond;

    /**
     * Creates a search that has tried nothing.
     *
     * @param precision the search ends when the lowest refused rate is at most this factor above the highest held one
     */
    CeilingSearch(double precision) {
        this.precision = precision;
    }

    /** The rate to try next, messages a second, and whether the try is a longer one; empty once the search is over. */
    Optional<RateSearch.Try> next() {
        if (rung < LADDER.size()) {
            return Optional.of(new RateSearch.Try(LADDER.get(rung), true));
        }
        return beyond == null ? Optional.empty() : beyond.next();
    }

    /**
     * Reports the outcome of the rate that {@link #next()} returned.
     *
     * @param achievedMsgPerSec rate that was published
     */
    void report(boolean held, double achievedMsgPerSec) {
        if (beyond != null) {
            beyond.report(held, achievedMsgPerSec);
            return;
        }
        if (!held && !refusedOnce) {
            refusedOnce = true;
            return;
        }
        refusedOnce = false;
        highestHeld = held ? LADDER.get(rung) : highestHeld;
        rung++;
        if (rung == LADDER.size() && highestHeld > 0) {
            beyond = new RateSearch(highestHeld * FACTOR, precision);
        }
    }

    /** The highest rate that was held, messages a second; empty if none was. */
    OptionalDouble ceilingMsgPerSec() {
        OptionalDouble found = beyond == null ? OptionalDouble.empty() : beyond.sustainableRateMsgPerSec();
        return found.isPresent() || highestHeld == 0 ? found : OptionalDouble.of(highestHeld);
    }
}
