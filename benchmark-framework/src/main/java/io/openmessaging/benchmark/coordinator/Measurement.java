package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.Recording;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.BacklogTrend;
import io.openmessaging.benchmark.judge.Bounds;
import io.openmessaging.benchmark.judge.ExpectedLoad;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Load that is measured, of one kind. A kind says how it is put on, and where what came of it differs from a load that is
 * the same from begin to end. Used once, on the run's thread.
 */
abstract class Measurement {

    /** A measurement of less than fifty seconds looks at backlogs about so many times, a longer one more often. */
    private static final int LOOKS = 500;

    private static final Duration LONGEST_LOOK = Duration.ofMillis(100);

    /** What says that a system does not hold a rate. */
    private static final Set<String> OF_RATE =
            Set.of("TargetRateMissed", "SendsLate", "ConsumersBehind", "ConfirmationsBehind", "SloMissed");

    final RunSession session;
    final Workload workload;
    final Recording recording;

    /** The backlogs of subscriptions, one entry for each part with a load of its own. */
    final List<BacklogTrend> backlogs = new ArrayList<>();

    private @Nullable List<HarnessUsage> usageBefore;
    private Observer.@Nullable End end;

    Measurement(RunSession session) {
        this.session = session;
        this.workload = session.workload;
        this.recording = session.recording;
    }

    /** The kind that the workload asks for. */
    static Measurement of(RunSession session) {
        Workload workload = session.workload;
        if (workload.consumesOnly()) {
            return new ConsumedLoad(session);
        }
        if (workload.rateSweep() != null) {
            return new SweptLoad(session, workload.rateSweep());
        }
        if (workload.messageCount() != null) {
            return new CountedLoad(session, workload.messageCount());
        }
        return workload.steps()
                .<Measurement>map(plan -> new SteppedLoad(session, plan))
                .orElseGet(() -> new TimedLoad(session));
    }

    /**
     * Puts the load on and measures it; the load is not put off.
     *
     * @param rateMsgPerSec given by the workload or found; infinite for as fast as the client takes it
     */
    abstract void measure(double rateMsgPerSec) throws InterruptedException, RunFailedException, DriverException;

    /** What was seen until now belongs to what came before. Returns what was counted until now. */
    final Worker.Status begin(RunPhase phase) throws DriverException, InterruptedException {
        session.periods.skip();
        Worker.Status before = session.observer.status();
        recording.beginApart(phase);
        usageBefore = before.usage();
        session.faults.begin();
        backlogs.clear();
        watchBacklogs();
        session.state.watchBacklogs(backlogs);
        return before;
    }

    /** From now on, backlogs are compared with what they are now. */
    final void watchBacklogs() {
        backlogs.add(new BacklogTrend(session.random(), isEven()));
    }

    /** Measures until the time is up or the totals satisfy a condition, and watches the backlogs meanwhile. */
    final Observer.End sample(
            Optional<Duration> duration, Duration look, Optional<Duration> stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException, DriverException {
        BacklogTrend trend = backlogs.get(backlogs.size() - 1);
        end = session.observer.sampleUntil(duration, look, stall, totals -> {
            trend.look(session.time.nowNs(), totals);
            return done.test(totals);
        });
        return end;
    }

    /** Whether it went to its end and can be done again: no fault is done twice, no backlog built. */
    final boolean isRepeatable() {
        return end == Observer.End.TIME_UP
                && !workload.buildsBacklog()
                && workload.faultsInOrder().isEmpty();
    }

    /** Why the rate was not held, as far as that is known while its messages are on their way. */
    final Optional<Finding> missed(double rateMsgPerSec) {
        return PeriodSnapshot.together(session.workers.given(recording.measured())).stream()
                .flatMap(seen -> Judge.soFar(
                        seen, OptionalDouble.of(rateMsgPerSec), backlogs, workload.sloBounds(), null, Map.of(), false)
                        .stream())
                .filter(finding -> finding.severity() != Finding.Severity.NOTE && OF_RATE.contains(finding.kind()))
                .findFirst();
    }

    /** Whether the load of the warm-up continues at its rate, so that what it has left is to be gone before. */
    boolean goesOnFromWarmUp() {
        return true;
    }

    /** What each worker has used since the measurement began; empty if it has not. */
    List<HarnessUsage> usage() throws DriverException, InterruptedException {
        return usageBefore == null
                ? List.of()
                : HarnessUsage.since(usageBefore, session.observer.status().usage());
    }

    /** How often to look at a load of some duration, so that a short one has enough looks to tell its trend. */
    static Duration look(Optional<Duration> duration) {
        long nanos = duration.map(Duration::toNanos).orElse(Long.MAX_VALUE) / LOOKS;
        return Duration.ofNanos(Math.max(Pace.LOOK.toNanos(), Math.min(LONGEST_LOOK.toNanos(), nanos)));
    }

    /** The backlogs of what was measured. */
    List<BacklogTrend> backlogs() {
        return backlogs;
    }

    /** Whether the load is to be the same from begin to end. */
    boolean isEven() {
        return true;
    }

    /** What is due when, from the begin of the measurement on; empty if nobody is to be held to it. */
    Optional<RateProfile> dueProfile(double rateMsgPerSec) {
        return Optional.of(RateProfile.steady(rateMsgPerSec));
    }

    /** The rate of the measurement, in the mean; empty if there is none to compare with. */
    OptionalDouble targetMsgPerSec(double rateMsgPerSec) {
        return rateMsgPerSec == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(rateMsgPerSec);
    }

    /** Whether it has already waited in vain for messages to arrive. */
    boolean gaveUp() {
        return false;
    }

    /** Whether rates were gone through of which one was too much, so that something may be missing at the end. */
    boolean wentBeyond() {
        return false;
    }

    /** The steps that have ended, in order. */
    List<RunResult.LoadStep> steps() {
        return List.of();
    }

    /** How long a number of messages took; null if that is not known, or not the matter. */
    RunResult.@Nullable Transfer transfer() {
        return null;
    }

    /** The rates that were gone through; null if none was. */
    @Nullable
    RateSweep sweep() {
        return null;
    }

    /**
     * What came of it, once all phases have ended.
     *
     * @param rateMsgPerSec given or found, or tried last; empty if none was found
     * @param search what came of the search for it; null if there was none
     */
    final LoadOutcome outcome(OptionalDouble rateMsgPerSec, LoadOutcome.@Nullable Searched search) {
        OptionalDouble target = rateMsgPerSec.isEmpty() ? rateMsgPerSec : targetMsgPerSec(rateMsgPerSec.getAsDouble());
        return new LoadOutcome(
                expected(target, rateMsgPerSec), target, course(), search, backlogs(), gaveUp(), wentBeyond());
    }

    private ExpectedLoad expected(OptionalDouble target, OptionalDouble rateMsgPerSec) {
        OptionalDouble driftWithin = workload.warmupUntilSteady() == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(workload.warmupUntilSteady().fraction());
        RunResult.Transfer transfer = transfer();
        return new ExpectedLoad(
                // Whether a burst came in its time is what is measured.
                workload.sendWithin() == null ? target : OptionalDouble.empty(),
                transfer == null || transfer.publishSeconds() == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(transfer.publishSeconds()),
                session.random(),
                isEven(),
                driftWithin,
                rateMsgPerSec.isEmpty() ? Optional.empty() : dueProfile(rateMsgPerSec.getAsDouble()));
    }

    private RunResult.Course course() {
        List<RunResult.SloOutcome> slo = PeriodSnapshot.together(recording.measured())
                .map(seen -> Bounds.outcomes(workload.sloBounds(), session.workers.given(seen)))
                .orElse(List.of());
        return new RunResult.Course(
                steps(), transfer(), null, session.request.seed().value(), slo, sweep());
    }
}
