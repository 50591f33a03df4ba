package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.measure.Totals;
import org.jspecify.annotations.Nullable;

/**
 * A reading of the counts. Counts only grow within a run, so a rate is the difference of two readings over the time
 * between them, whichever readings are left out.
 *
 * @param atMs time, epoch milliseconds
 * @param counts messages since the start of the run
 * @param backlog messages that the slowest subscription had yet to receive; the maximum since the previous reading
 * @param inFlight messages neither confirmed nor refused; the maximum since the previous reading
 * @param targetMsgPerSec target rate; null for as fast as the client takes messages
 */
record Tick(
        long atMs,
        TickCounts counts,
        long backlog,
        long inFlight,
        @Nullable Double targetMsgPerSec) {

    /**
     * Messages since the start of the run.
     *
     * @param sent messages handed to the client
     * @param acknowledged messages confirmed by the system
     * @param received arrivals at all subscriptions together
     * @param failed messages refused or given up
     */
    record TickCounts(long sent, long acknowledged, long received, long failed) {}

    /** Creates the reading at the start of a run. */
    static Tick first(long atMs) {
        return new Tick(atMs, new TickCounts(0, 0, 0, 0), 0, 0, 0.0);
    }

    static Tick of(long atMs, Totals totals, @Nullable Double targetMsgPerSec) {
        return new Tick(
                atMs,
                new TickCounts(totals.sent(), totals.acknowledged(), totals.receivedByAll(), totals.failed()),
                totals.largestBacklog(),
                totals.inFlight(),
                targetMsgPerSec);
    }

    /** Returns the later reading, with the higher levels of both. */
    Tick followedBy(Tick next) {
        return new Tick(
                next.atMs,
                next.counts,
                Math.max(backlog, next.backlog),
                Math.max(inFlight, next.inFlight),
                next.targetMsgPerSec);
    }
}
