package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.measure.Totals;
import org.jspecify.annotations.Nullable;

/**
 * A look at the counts. They only grow within a run, so that a rate is the difference of two looks over the time between them,
 * whichever looks are left out.
 *
 * @param atMs when, epoch milliseconds
 * @param counts of messages since the begin of the run
 * @param backlog messages that the slowest subscription had still to get; the most since the look before
 * @param inFlight messages neither confirmed nor refused; the most since the look before
 * @param targetMsgPerSec how much was to be sent; null for as much as the client takes
 */
record Tick(
        long atMs,
        TickCounts counts,
        long backlog,
        long inFlight,
        @Nullable Double targetMsgPerSec) {

    /**
     * Messages since the begin of the run.
     *
     * @param sent handed to the client
     * @param acknowledged confirmed by the system
     * @param received arrivals at all subscriptions together
     * @param failed refused or given up
     */
    record TickCounts(long sent, long acknowledged, long received, long failed) {}

    /** The begin of a run. */
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

    /** The later look, with the highest levels of both. */
    Tick followedBy(Tick next) {
        return new Tick(
                next.atMs,
                next.counts,
                Math.max(backlog, next.backlog),
                Math.max(inFlight, next.inFlight),
                next.targetMsgPerSec);
    }
}
