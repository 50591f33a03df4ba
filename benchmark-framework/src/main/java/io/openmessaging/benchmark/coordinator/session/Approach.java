package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.search.RateSearch;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds the rate with which a search starts, and makes the system warm: a JVM that has not compiled its code yet may
 * need thirty times as much processor time for a message, so rates refused then say nothing about the system. Used by
 * the run's thread only.
 */
public final class Approach {

    /** Rates by which to approach the first one, messages a second. */
    private static final double[] RATES_MSG_PER_SEC = {1, 10, 100, 1000, RateSearch.FIRST_RATE_MSG_PER_SEC};

    /** Duration of each load, and longest wait for the messages of an approach rate afterwards. */
    private static final Duration TIME = Duration.ofSeconds(1);

    /** A burst as a multiple of the rate that the last one achieved: half of its time, the system is at its limit. */
    private static final double BURST = 2;

    /** A burst is faster than others if its rate is higher by this factor; less is chance. */
    private static final double FASTER = 1.1;

    /** A warm system has so many bursts in a row that are no faster than the best one. */
    private static final int NO_FASTER = 3;

    /** HotSpot compiles what was called some hundred times; until then, a JVM gets no faster, which looks warm. */
    private static final int FEWEST_MESSAGES = 1000;

    /** A bound on the bursts, which take about a minute then. */
    private static final int MAX_BURSTS = 30;

    /** A burst fits into buffers, so the system may sustain less than it achieved. */
    private static final double OF_BEST = 0.25;

    private final RunSession session;
    private final Aftermath aftermath;
    private double rateMsgPerSec = RATES_MSG_PER_SEC[0];

    /** For a run that has sent nothing yet. */
    public Approach(RunSession session, Aftermath aftermath) {
        this.session = session;
        this.aftermath = aftermath;
    }

    /** The rate to start with, as far as it is known. */
    public double rateMsgPerSec() {
        return rateMsgPerSec;
    }

    /**
     * Sends for a moment at rates that grow tenfold, and chooses the last one whose messages arrived in little more
     * time than they were sent in. So no later load leaves a backlog that takes the system more than some multiple of
     * the load's own time to catch up with. Returns false if the run is to stop.
     */
    public boolean climb() throws InterruptedException, RunFailedException, DriverException {
        for (double rate : RATES_MSG_PER_SEC) {
            boolean arrived = false;
            // The very first messages may meet a system that is not warm.
            for (int tries = 0; tries < 2 && !arrived; tries++) {
                if (!send(rate)) {
                    return false;
                }
                session.load.stop();
                // A blocked client also counts as behind. With few messages, some may be missing by chance.
                double least = rate / 2 - Judge.SCATTER * Math.sqrt(rate);
                boolean sent = aftermath.since(session.observer.totals()).sent() >= least;
                arrived = sent
                        && session.observer.waitUntil(TIME, Pace.LOOK, Optional.empty(), aftermath::allArrived)
                                == Observer.End.DONE;
                if (!aftermath.awaitDrained(rate).isOver()) {
                    return false;
                }
            }
            if (!arrived) {
                break;
            }
            rateMsgPerSec = rate;
        }
        return true;
    }

    /**
     * Sends bursts until the system gets no faster, so that the search starts near its limit, unless a bound on
     * latencies may limit the rate far below. Returns false if the run is to stop.
     *
     * @param untilNs when to end in any case
     */
    public boolean warm(long untilNs) throws InterruptedException, RunFailedException, DriverException {
        double achieved = rateMsgPerSec;
        double best = 0;
        long messages = 0;
        int slower = 0;
        for (int i = 0; i < MAX_BURSTS && (slower < NO_FASTER || messages < FEWEST_MESSAGES); i++) {
            if (session.time.nowNs() >= untilNs) {
                break;
            }
            Totals before = aftermath.settled();
            double rate = BURST * Math.max(achieved, RATES_MSG_PER_SEC[0]);
            if (!send(rate) || !aftermath.awaitDrained(rate).isOver()) {
                return false;
            }
            double seconds = session.load.sinceStart().toNanos() / 1e9;
            long confirmed = aftermath.settled().minus(before).acknowledged();
            achieved = confirmed / seconds;
            messages += confirmed;
            slower++;
            // Compared with the burst that was last much faster, so that slow growth adds up.
            if (achieved > FASTER * best) {
                best = achieved;
                slower = 0;
            }
        }
        if (session.workload.sloBounds().isEmpty()) {
            rateMsgPerSec = Math.max(rateMsgPerSec, OF_BEST * best);
        }
        return true;
    }

    /** Sends for a moment; the load stays on. Returns false if the run is to stop. */
    private boolean send(double rate) throws InterruptedException, RunFailedException, DriverException {
        session.load.start(RateProfile.steady(rate));
        return session.observer.pass(TIME) != Observer.End.STOPPED;
    }
}
