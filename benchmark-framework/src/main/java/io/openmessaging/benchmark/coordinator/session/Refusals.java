package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.measure.Totals;
import java.time.Duration;
import java.util.Map;

/**
 * Knows when a system refuses every message for good, so that a load need not be kept up for nothing. What it refuses for a
 * moment, such as while a node is replaced, it may take again; before it has taken a message of the run it has less time,
 * since a permission or a limit that is wrong is so from the first message on.
 */
final class Refusals {

    /** So many refusals are no accident, however low the rate. */
    private static final long MIN_REFUSED = 10;

    /** How many times as long a system that has taken messages of the run may refuse all. */
    private static final int LATER_TIMES = 6;

    private final Duration limit;
    private boolean loaded;
    private long acknowledged;
    private long failedBefore;
    private long sinceNs;
    private long failed;
    private long failedNs;

    /**
     * Of a run.
     *
     * @param limit for how long every message may be refused while none was taken yet
     */
    Refusals(Duration limit) {
        this.limit = limit;
    }

    /**
     * Takes notice of how things are.
     *
     * @param nowNs nanoseconds since some moment
     * @param load whether messages are being sent
     * @return for how many seconds every message was refused, once that is too long; else 0
     */
    double look(long nowNs, boolean load, Totals totals) {
        boolean takes = totals.acknowledged() > acknowledged;
        acknowledged = Math.max(acknowledged, totals.acknowledged());
        if (!load || !loaded || takes || totals.failed() == failedBefore) {
            failedBefore = totals.failed();
            sinceNs = nowNs;
            loaded = load;
        }
        if (totals.failed() != failed) {
            failed = totals.failed();
            failedNs = nowNs;
        }
        long limitNs = limit.toNanos() * (acknowledged > 0 ? LATER_TIMES : 1);
        // A client that neither takes nor refuses anything may be about to take something.
        boolean refusing = nowNs - failedNs < limitNs / 2;
        boolean forGood = nowNs - sinceNs >= limitNs && refusing && refused(totals) >= MIN_REFUSED;
        return forGood ? (nowNs - sinceNs) / 1e9 : 0;
    }

    /** How many messages were refused since one was taken. */
    long refused(Totals totals) {
        return totals.failed() - failedBefore;
    }

    /** The most frequent of some errors, in words; empty if there is none. */
    static String mostly(Map<String, Long> errors) {
        return errors.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> ": " + most.getKey())
                .orElse("");
    }
}
