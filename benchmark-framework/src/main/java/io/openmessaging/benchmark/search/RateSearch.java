package io.openmessaging.benchmark.search;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Chooses the rates to try in a search for the highest sustainable one, in two stages.
 *
 * <p><b>Short tries</b> find the region of the limit: the rate is doubled until one is refused twice (or, if the first
 * is refused, halved until one is sustained). The rate that the system has achieved at the refused rate is the best
 * guess; if that guess is implausible, the rates between are bisected.
 *
 * <p><b>Confirming tries</b>, which last longer, decide. The rate goes down until one is held, or up until one is
 * refused, by {@link #PRECISION} first and then by larger and larger steps; then between the highest held and the
 * lowest refused rate, until they are within {@link #PRECISION}. No short try overrules them: two bad ones do not keep
 * a higher rate from being tried, and a good one accepts none, unless the search has to {@link #end()}.
 *
 * <p>Pure: it receives the outcome of a rate and returns the next one. A search ends after at most {@link #MAX_TRIES}.
 */
public final class RateSearch {

    /** OMB's first rate, messages a second. */
    public static final double FIRST_RATE_MSG_PER_SEC = 10_000;

    /** The result is at most this factor below the lowest rate that was refused. */
    public static final double PRECISION = 1.05;

    /** A bound on the short tries: 27 doublings from 1 reach 10⁸ msg/s, and others are refused twice. */
    static final int MAX_SHORT_TRIES = 40;

    /** A bound on the confirming tries: enough for a search that went astray and came back. */
    static final int MAX_CONFIRMING_TRIES = 12;

    /** A bound on the length of any search. */
    public static final int MAX_TRIES = MAX_SHORT_TRIES + MAX_CONFIRMING_TRIES;

    private static final double FACTOR = 2;
    private static final double LOWEST_RATE_MSG_PER_SEC = 1;

    /** Short tries within this factor cannot find out more. */
    private static final double SHORT_PRECISION = 1.1;

    /** The rate achieved beyond the limit is a little higher than the sustainable one. */
    private static final double OF_ACHIEVED = 0.98;

    /**
     * A guess may be at most this factor below the rate that a short try sustained; a lower one means that the system
     * achieves less beyond its limit than at it.
     */
    private static final double DOUBTED = 1.25;

    /**
     * If no short try was sustained, a guess may be at most this factor below the refused rate; a lower one says
     * nothing.
     */
    private static final double COLLAPSED = 4;

    private final double precision;
    private double rate;
    private boolean confirming;
    private int shortTries;
    private int confirmingTries;

    private double lowestRefused = Double.POSITIVE_INFINITY;

    private double shortSustained;
    private double shortRefused = Double.POSITIVE_INFINITY;
    private double achievedBeyond;
    private boolean refusedOnce;

    private double held;
    private boolean confirmed;
    private double refused = Double.POSITIVE_INFINITY;
    private double step;

    /**
     * A rate to try.
     *
     * @param msgPerSec messages a second
     * @param confirming true if the try is a longer one
     */
    public record Try(double msgPerSec, boolean confirming) {}

    /** Creates a search that starts with a rate. */
    public RateSearch(double firstRateMsgPerSec) {
        this(firstRateMsgPerSec, PRECISION);
    }

    /**
     * Creates a search that starts with a rate.
     *
     * @param precision a factor above 1: the search ends when the lowest refused rate is at most this much above the
     *     highest held one
     */
    public RateSearch(double firstRateMsgPerSec, double precision) {
        this.rate = firstRateMsgPerSec;
        this.precision = precision;
        this.step = precision;
    }

    /** The rate to try next; empty once the search is over. */
    public Optional<Try> next() {
        boolean tooLow = shortSustained == 0 && shortRefused <= LOWEST_RATE_MSG_PER_SEC;
        boolean tooOften = confirming ? confirmingTries >= MAX_CONFIRMING_TRIES : shortTries >= MAX_SHORT_TRIES;
        return isPrecise() || tooLow || tooOften ? Optional.empty() : Optional.of(new Try(rate, confirming));
    }

    private boolean isPrecise() {
        // If two rates are exactly this far apart, rounding must not request one between them.
        return held > 0 && refused <= held * precision * (1 + 1e-9);
    }

    /**
     * Reports the outcome of the rate that {@link #next()} returned.
     *
     * @param achievedMsgPerSec rate that the slowest part of the system achieved in the try
     */
    public void report(boolean sustained, double achievedMsgPerSec) {
        if (!sustained && (confirming || refusedOnce)) {
            lowestRefused = Math.min(lowestRefused, rate);
        }
        if (confirming) {
            confirmingTries++;
            confirmed(sustained, achievedMsgPerSec);
        } else {
            shortTries++;
            tried(sustained, achievedMsgPerSec);
        }
    }

    private void tried(boolean sustained, double achievedMsgPerSec) {
        if (!sustained && !refusedOnce) {
            refusedOnce = true;
            achievedBeyond = achievedMsgPerSec;
            return;
        }
        if (sustained) {
            shortSustained = rate;
        } else {
            shortRefused = rate;
            // A hiccup lowers it, nothing raises it.
            achievedBeyond = Math.max(achievedBeyond, achievedMsgPerSec);
        }
        refusedOnce = false;
        if (shortRefused == Double.POSITIVE_INFINITY) {
            rate = shortSustained * FACTOR;
            confirming = shortTries >= MAX_SHORT_TRIES;
        } else {
            narrow();
        }
    }

    private void narrow() {
        double guess = OF_ACHIEVED * achievedBeyond;
        double least = shortSustained == 0 ? shortRefused / COLLAPSED : shortSustained / DOUBTED;
        boolean isGuess = guess >= Math.max(least, LOWEST_RATE_MSG_PER_SEC) && guess <= shortRefused / precision;
        if (isGuess || shortRefused <= shortSustained * SHORT_PRECISION) {
            confirming = true;
            rate = Math.max(isGuess ? guess : shortSustained, held * precision);
        } else if (shortSustained == 0) {
            rate = shortRefused / FACTOR;
        } else {
            // The geometric mean halves the distance in the measure that precision is given in.
            rate = Math.sqrt(shortSustained * shortRefused);
        }
    }

    private void confirmed(boolean sustained, double achievedMsgPerSec) {
        if (sustained) {
            held = rate;
            confirmed = true;
        } else {
            refused = rate;
        }
        if (held > 0 && refused < Double.POSITIVE_INFINITY) {
            rate = Math.sqrt(held * refused);
        } else if (!sustained) {
            rate = below(achievedMsgPerSec);
        } else if (held >= shortRefused && shortTries < MAX_SHORT_TRIES) {
            // A rate that short tries refused was held, so short tries have to look further.
            confirming = false;
            step = precision;
            shortSustained = held;
            shortRefused = Double.POSITIVE_INFINITY;
            rate = held * FACTOR;
        } else {
            rate = held * nextStep();
        }
    }

    /** The rate achieved at a refused rate if that is meaningful, else a step down. */
    private double below(double achievedMsgPerSec) {
        double stepped = rate / nextStep();
        return achievedMsgPerSec >= rate / FACTOR ? Math.min(stepped, achievedMsgPerSec) : stepped;
    }

    /**
     * The highest rate that may be held, messages a second, after a measurement that did not hold one: the rate that
     * it achieved, but at least half of its own rate, since a collapse says little.
     *
     * @param msgPerSec rate of the measurement
     * @param achievedMsgPerSec rate that the slowest part of the system achieved in it
     */
    public static double limit(double msgPerSec, double achievedMsgPerSec) {
        return Math.max(achievedMsgPerSec, msgPerSec / FACTOR);
    }

    /**
     * Reports a measurement that did not hold its rate. If it decides, it overrules confirming tries that held a higher
     * rate: {@link #limit} becomes the highest rate that was held. It always overrules a rate that no confirming try
     * held. The other parameters are those of {@link #limit}.
     *
     * @param decides true if it was as long as a confirming try and achieved far less than its rate
     */
    public void missed(double msgPerSec, double achievedMsgPerSec, boolean decides) {
        if (decides) {
            refused = Math.min(refused, msgPerSec);
            lowestRefused = Math.min(lowestRefused, msgPerSec);
        }
        if (decides || !confirmed) {
            held = Math.min(held, limit(msgPerSec, achievedMsgPerSec));
        }
    }

    /**
     * Ends the search before it is precise. If no confirming try held a rate, the highest one that a short try
     * sustained stands for it, or else the one to be tried next: a measurement has to confirm it. Else, what two short
     * tries refused counts as refused.
     */
    public void end() {
        if (held == 0) {
            double next = refusedOnce ? rate / FACTOR : rate;
            held = shortSustained > 0 && shortSustained < refused ? shortSustained : next;
        } else if (shortRefused > held) {
            refused = Math.min(refused, shortRefused);
        }
    }

    private double nextStep() {
        double now = step;
        step = Math.min(FACTOR, step * step);
        return now;
    }

    /**
     * The highest rate that was held in a confirming try, or its replacement after a measurement; empty if none was.
     */
    public OptionalDouble sustainableRateMsgPerSec() {
        return held == 0 ? OptionalDouble.empty() : OptionalDouble.of(held);
    }

    /** The lowest rate that confirming tries or the measurement refused; infinity if none was. */
    public double refusedMsgPerSec() {
        return refused;
    }

    /** The lowest rate that was tried and refused; infinity if none was. */
    public double lowestRefusedMsgPerSec() {
        return lowestRefused;
    }
}
