package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.measure.Totals;
import java.time.Duration;
import java.util.Map;

/**
 * Detects when a system refuses every message for good, so that a load is not kept up for nothing. A system that
 * refuses messages for a moment, such as while a node is replaced, may accept them again. It has less time before it
 * has acknowledged a message of the run, since a wrong permission or limit is wrong from the first message on.
 */
final class Refusals {

    /** Fewer refusals may be an accident, at a low rate. */
    private static final long MIN_REFUSED = 10;

    /** Factor by which the limit is longer once the system has acknowledged messages of the run. */
    private static final int LATER_TIMES = 6;

    private final Duration limit;
    private boolean loaded;
    private long acknowledged;
    private long failedBefore;
    private long sinceNs;
    private long failed;
    private long failedNs;

    /**
     * Creates the detector of a run.
     *
     * @param limit how long every message may be refused while none was acknowledged yet
     */
    Refusals(Duration limit) {
        this.limit = limit;
    }

    /**
     * Evaluates the latest totals.
     *
     * @param nowNs nanoseconds since some moment
     * @param load true if messages are being sent
     * @return seconds for which every message was refused, once that is too long; else 0
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
        // A client that neither accepts nor refuses anything may be about to accept something.
        boolean refusing = nowNs - failedNs < limitNs / 2;
        boolean forGood = nowNs - sinceNs >= limitNs && refusing && refused(totals) >= MIN_REFUSED;
        return forGood ? (nowNs - sinceNs) / 1e9 : 0;
    }

    /** Number of messages refused since one was acknowledged, or since the load started. */
    long refused(Totals totals) {
        return totals.failed() - failedBefore;
    }

    /** The most frequent error, in words; empty if there is none. */
    static String mostly(Map<String, Long> errors) {
        return errors.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> ": " + most.getKey())
                .orElse("");
    }
}
