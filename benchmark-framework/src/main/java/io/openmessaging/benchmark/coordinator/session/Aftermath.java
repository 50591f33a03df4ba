package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunTimeouts;
import java.time.Duration;
import java.util.Optional;

/**
 * Ends the load of one rate and lets everything arrive, so that the next rate is not charged with the messages that
 * this one leaves. Messages that have not arrived when nothing has moved for {@link RunTimeouts#quiet()} are lost;
 * later waits ignore them. Used by the run's thread only.
 */
public final class Aftermath {

    private static final Duration LOOK = Duration.ofMillis(100);

    /**
     * Longest wait as a multiple of the load's time: at twice its capacity, a system leaves as much behind as it
     * processes.
     */
    private static final int LONGEST = 2;

    private final RunSession session;
    private Totals settled;

    /** For a run that has sent nothing yet. */
    public Aftermath(RunSession session) {
        this.session = session;
        this.settled = Totals.none(session.topology.subscriptionCount());
    }

    /**
     * The outcome of a wait for messages on their way.
     *
     * @param end reason that the wait ended
     * @param missing messages that had not arrived at the slowest subscription by then; 0 if a stop ended the wait,
     *     since they may be on their way
     * @param seconds duration of the wait
     */
    public record Leftover(Observer.End end, long missing, double seconds) {

        /** Returns whether nothing is in flight any more, so that another rate can be judged. */
        public boolean isOver() {
            return end == Observer.End.DONE || end == Observer.End.STALLED;
        }
    }

    /** The totals when nothing was on its way any more. */
    public Totals settled() {
        return settled;
    }

    /** Returns the counts since nothing was on its way any more. */
    public Totals since(Totals totals) {
        return totals.minus(settled);
    }

    /** Returns whether everything has arrived that was sent since nothing was on its way any more. */
    public boolean allArrived(Totals totals) {
        return Observer.allArrived(since(totals));
    }

    /**
     * Ends the load and waits: for {@link RunTimeouts#drain()}, or for twice the time since the load started if that
     * is longer.
     */
    public Leftover await() throws InterruptedException, RunFailedException, DriverException {
        long loadedNs = session.load.sinceStart().toNanos();
        session.load.stop();
        long stopNs = session.time.nowNs();
        Duration atMost = Duration.ofNanos(Math.max(session.timeouts.drain().toNanos(), LONGEST * loadedNs));
        Observer.End end =
                session.observer.waitUntil(atMost, LOOK, Optional.of(session.timeouts.quiet()), this::allArrived);
        Totals now = session.observer.totals();
        long missing = end == Observer.End.STOPPED ? 0 : since(now).largestBacklog();
        settled = now;
        return new Leftover(end, missing, (session.time.nowNs() - stopNs) / 1e9);
    }

    /**
     * Does the same between the rates of a search. If messages do not stop arriving, no other rate could be judged, and
     * that is a finding.
     */
    public Leftover awaitDrained(double rateMsgPerSec)
            throws InterruptedException, RunFailedException, DriverException {
        Leftover left = await();
        if (left.end() == Observer.End.TIME_UP) {
            session.recording.note(Finding.searchNotDrained(rateMsgPerSec, left.missing(), left.seconds()));
        }
        return left;
    }
}
