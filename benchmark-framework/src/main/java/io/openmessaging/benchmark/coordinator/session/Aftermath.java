package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.run.RunTimeouts;
import java.time.Duration;
import java.util.Optional;

/**
 * Ends the load of one rate and lets everything arrive, so that the next rate is not charged with what this one has left.
 * What has not arrived when nothing has moved for {@link RunTimeouts#quiet()} is lost: it is not waited for again. Belongs to the
 * run's thread.
 */
public final class Aftermath {

    private static final Duration LOOK = Duration.ofMillis(100);

    /** At twice the rate that a system is capable of, it leaves as much behind as it takes up meanwhile. */
    private static final int LONGEST = 2;

    private final RunSession session;
    private Totals settled;

    /** Of a run in which nothing has been sent. */
    public Aftermath(RunSession session) {
        this.session = session;
        this.settled = Totals.none(session.topology.subscriptionCount());
    }

    /**
     * What became of what was on its way.
     *
     * @param end how the wait ended
     * @param missing messages that had not arrived at the slowest subscription by then
     * @param seconds how long the wait took
     */
    public record Leftover(Observer.End end, long missing, double seconds) {

        /** Whether nothing is in flight any more, so that another rate can be judged. */
        public boolean isOver() {
            return end == Observer.End.DONE || end == Observer.End.STALLED;
        }
    }

    /** What had been counted when nothing was on its way any more. */
    public Totals settled() {
        return settled;
    }

    /** What has been counted since nothing was on its way any more. */
    public Totals since(Totals totals) {
        return totals.minus(settled);
    }

    /** Whether everything has arrived that was sent since nothing was on its way any more. */
    public boolean allArrived(Totals totals) {
        return Observer.allArrived(since(totals));
    }

    /**
     * Ends the load and waits: for {@link RunTimeouts#drain()}, or twice as long as it is since the load began if that is longer.
     */
    public Leftover await() throws InterruptedException, RunFailedException, DriverException {
        long loadedNs = session.load.sinceStart().toNanos();
        session.load.stop();
        long stopNs = session.time.nowNs();
        Duration atMost = Duration.ofNanos(Math.max(session.timeouts.drain().toNanos(), LONGEST * loadedNs));
        Observer.End end =
                session.observer.waitUntil(atMost, LOOK, Optional.of(session.timeouts.quiet()), this::allArrived);
        Totals now = session.observer.totals();
        long missing = since(now).largestBacklog();
        settled = now;
        return new Leftover(end, missing, (session.time.nowNs() - stopNs) / 1e9);
    }
}
