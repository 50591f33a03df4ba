package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.coordinator.session.Waiting;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.judge.RateDrift;
import io.openmessaging.benchmark.judge.Settling;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Load that is not measured; it lasts until its time is up, or until it has become steady. */
final class WarmUp {

    /** Longest wait for the backlog that the warm-up leaves, however long the warm-up was. */
    private static final Duration LONGEST_SETTLING = Duration.ofSeconds(60);

    /** Between messages closer together than this, a late thread cannot hit the middle. */
    private static final Duration SHORTEST_GAP = Duration.ofMillis(40);

    /** Number of periods over which the warm-up has to be steady to end early. */
    private static final int STEADY_PERIODS = 5;

    private final RunSession session;
    private final Workload workload;
    private final double rateMsgPerSec;

    /** The rate is infinite for as fast as the client takes messages. */
    WarmUp(RunSession session, double rateMsgPerSec) {
        this.session = session;
        this.workload = session.workload;
        this.rateMsgPerSec = rateMsgPerSec;
    }

    /**
     * Applies the load and waits.
     *
     * @param rateIsKnown true if the measurement continues at this rate, so that the backlog left by the warm-up can
     *     be recognized
     * @return false if the run is to stop
     */
    boolean run(boolean rateIsKnown) throws InterruptedException, RunFailedException, DriverException {
        Totals before = session.observer.totals();
        session.load.start(RateProfile.steady(rateMsgPerSec));
        // Read only here: the schedule starts when everything is ready for it.
        long beginNs = session.time.nowNs();
        Observer.End end = session.observer.sampleUntil(
                Optional.of(workload.warmupTime()), session.timeouts.tick(), Optional.empty(), totals -> isSteady());
        if (end == Observer.End.TIME_UP && workload.warmupUntilSteady() != null) {
            session.recording.note(Finding.warmUpNotSteady(
                    workload.warmupTime().toSeconds(),
                    workload.warmupUntilSteady().fraction()));
        }
        return end != Observer.End.STOPPED && (!rateIsKnown || settle(beginNs, before));
    }

    /**
     * Returns whether the last periods of the warm-up, excluding the first of all, were as steady as the workload
     * requires.
     */
    private boolean isSteady() {
        List<PeriodSnapshot> periods = session.recording.warmup();
        if (workload.warmupUntilSteady() == null || periods.size() <= STEADY_PERIODS) {
            return false;
        }
        double tolerated = workload.warmupUntilSteady().fraction();
        List<PeriodSnapshot> last = periods.subList(periods.size() - STEADY_PERIODS, periods.size());
        return RateDrift.ofRate(last) <= tolerated && RateDrift.ofLatency(last) <= tolerated;
    }

    /** Waits until the backlog that the warm-up leaves is gone. Returns false if the run is to stop. */
    private boolean settle(long beginNs, Totals before)
            throws InterruptedException, RunFailedException, DriverException {
        session.recording.begin(RunPhase.SETTLE);
        Duration warmup = workload.warmupTime();
        Duration longest = warmup.compareTo(LONGEST_SETTLING) < 0 ? warmup : LONGEST_SETTLING;
        Settling settling = new Settling(
                rateMsgPerSec,
                workload.arrivals().isRandom(),
                beginNs,
                before,
                session.workers.given(session.recording.warmup()),
                longest);
        Waiting waiting = new Waiting(session);
        Observer.End end = session.observer.waitUntil(longest, Pace.LOOK, Optional.empty(), totals -> {
            waiting.goesOn(() -> "the measurement waits for messages left from the warm-up");
            return settling.look(session.time.nowNs(), totals);
        });
        if (end == Observer.End.TIME_UP) {
            session.recording.note(settling.left(longest.toNanos() / 1e9));
        }
        return end != Observer.End.STOPPED && awaitGap(beginNs);
    }

    /**
     * Waits for the middle between two messages of a slow load, so that none is due just when the measurement starts
     * or ends, and their number matches the rate. Returns false if the run is to stop.
     */
    private boolean awaitGap(long beginNs) throws InterruptedException, RunFailedException, DriverException {
        double intervalNs = 1e9 / rateMsgPerSec;
        if (workload.arrivals().isRandom() || intervalNs < SHORTEST_GAP.toNanos()) {
            return true;
        }
        double sinceMessageNs = (session.time.nowNs() - beginNs) % intervalNs;
        double leftNs = (1.5 * intervalNs - sinceMessageNs) % intervalNs;
        return session.observer.pass(Duration.ofNanos((long) leftNs)) != Observer.End.STOPPED;
    }
}
