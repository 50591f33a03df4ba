package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.Recording;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.BacklogTrend;
import io.openmessaging.benchmark.judge.ExpectedLoad;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One kind of measured load. A kind defines how the load is applied, and how its outcome differs from that of a
 * constant load. Used once, on the run's thread.
 */
abstract class MeasuredLoad {

    /**
     * Approximate number of backlog readings in a measurement of less than ten seconds; a longer one has more. More
     * readings would take processor time from a short load, until their code is compiled.
     */
    private static final int LOOKS = 100;

    private static final Duration LONGEST_LOOK = Duration.ofMillis(100);

    /** Findings which show that a system does not hold a rate. */
    private static final List<String> OF_RATE = SharedDefinitions.texts("findings.yaml", "rateNotHeld");

    final RunSession session;
    final Workload workload;
    final Recording recording;

    /** The backlogs of subscriptions, one entry for each part with a load of its own. */
    final List<BacklogTrend> backlogs = new ArrayList<>();

    private @Nullable List<HarnessUsage> usageBefore;
    private Observer.@Nullable End end;

    MeasuredLoad(RunSession session) {
        this.session = session;
        this.workload = session.workload;
        this.recording = session.recording;
    }

    /** The kind of measurement that the workload requests. */
    static MeasuredLoad of(RunSession session) {
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
                .<MeasuredLoad>map(plan -> new SteppedLoad(session, plan))
                .orElseGet(() -> new TimedLoad(session));
    }

    /**
     * Applies the load and measures it; the load stays on afterwards.
     *
     * @param rateMsgPerSec rate given by the workload or found; infinite for as fast as the client takes messages
     */
    abstract void measure(double rateMsgPerSec) throws InterruptedException, RunFailedException, DriverException;

    /** Starts the measurement. Everything counted until now, which it returns, belongs to the phase before. */
    final Worker.Status begin(RunPhase phase) throws DriverException, InterruptedException {
        session.periods.skip();
        Worker.Status before = session.observer.status();
        recording.beginApart(phase);
        usageBefore = before.usage();
        session.faults.begin();
        backlogs.clear();
        watchBacklogs(isEven());
        session.state.watchBacklogs(backlogs);
        return before;
    }

    /**
     * From now on, compares backlogs with their current size.
     *
     * @param even false if a backlog may shrink
     */
    final void watchBacklogs(boolean even) {
        backlogs.add(new BacklogTrend(workload.arrivals().isRandom(), even));
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

    /**
     * Returns whether the measurement reached its end and can be repeated: no fault is injected twice, no backlog
     * built twice.
     */
    final boolean isRepeatable() {
        return end == Observer.End.TIME_UP
                && !workload.buildsBacklog()
                && workload.faultsInOrder().isEmpty();
    }

    /** Returns whether the harness, or a machine, had so little to spare that nothing is known of the system. */
    final boolean isOfHarness(double rateMsgPerSec) throws DriverException, InterruptedException {
        RunPeriod all = RunPeriod.together(recording.periods()).orElseThrow();
        List<WorkerSeen> workers =
                session.workers.seen(usage(), all.seen().startNs(), all.seen().endNs());
        return Judge.isOfHarness(
                recording.measured(),
                rateMsgPerSec,
                all.used(),
                workers,
                session.request.conditions().resourceLimits());
    }

    /**
     * Why the rate was not held, as far as that is known while its messages are on their way; empty if no reason is
     * known.
     */
    final Optional<Finding> missed(double rateMsgPerSec) {
        return PeriodSnapshot.together(session.workers.given(recording.measured())).stream()
                .flatMap(seen -> Judge.soFar(
                        seen,
                        ExpectedLoad.even(
                                OptionalDouble.of(rateMsgPerSec),
                                workload.arrivals().isRandom()),
                        backlogs,
                        workload.sloBounds(),
                        null,
                        Map.of(),
                        false)
                        .stream())
                .filter(finding -> finding.decidesVerdict() && OF_RATE.contains(finding.kind()))
                .findFirst();
    }

    /**
     * Returns whether the load of the warm-up continues at its rate, so that the backlog it leaves has to be gone
     * first.
     */
    boolean goesOnFromWarmUp() {
        return true;
    }

    /** Resources that each worker has used since the measurement started; empty if it has not started. */
    List<HarnessUsage> usage() throws DriverException, InterruptedException {
        return usageBefore == null
                ? List.of()
                : HarnessUsage.since(usageBefore, session.observer.status().usage());
    }

    /**
     * The interval between readings for a load of some duration; a short load needs enough readings to show its trend.
     */
    static Duration look(Optional<Duration> duration) {
        long nanos = duration.map(Duration::toNanos).orElse(Long.MAX_VALUE) / LOOKS;
        return Duration.ofNanos(Math.max(Pace.LOOK.toNanos(), Math.min(LONGEST_LOOK.toNanos(), nanos)));
    }

    /** The backlogs by which the measurement is judged. */
    List<BacklogTrend> backlogs() {
        return backlogs;
    }

    /** Returns whether the load is meant to be constant from start to end. */
    boolean isEven() {
        return true;
    }

    /** The messages due over time, from the start of the measurement; empty if the load is not held to a schedule. */
    Optional<RateProfile> dueProfile(double rateMsgPerSec) {
        return Optional.of(RateProfile.steady(rateMsgPerSec));
    }

    /** The mean rate of the measurement; empty if there is none to compare with. */
    OptionalDouble targetMsgPerSec(double rateMsgPerSec) {
        return rateMsgPerSec == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(rateMsgPerSec);
    }

    /** Returns whether the measurement has already waited in vain for messages to arrive. */
    boolean gaveUp() {
        return false;
    }

    /** Returns whether one of several rates was too high, so that messages may be missing at the end. */
    boolean wentBeyond() {
        return false;
    }

    /** The steps that have ended, in order. */
    List<RunResult.LoadStep> steps() {
        return List.of();
    }

    /** The time that a number of messages took; null if unknown, or if the measurement has no such number. */
    RunResult.@Nullable Transfer transfer() {
        return null;
    }

    /** Returns the length of the measurement until now, see {@link PeriodSnapshot#secondsOfEach}. */
    final double measuredSeconds() {
        return recording.measured().stream()
                .mapToDouble(PeriodSnapshot::secondsOfEach)
                .sum();
    }

    /** The time in which messages were due; empty if that is the whole measurement. */
    OptionalDouble publishSeconds() {
        RunResult.Transfer transfer = transfer();
        return transfer == null || transfer.publishSeconds() == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(transfer.publishSeconds());
    }

    /** The rates of a sweep; null if there was none. */
    @Nullable
    RateSweep sweep() {
        return null;
    }

    /**
     * The outcome of the load, once all phases have ended.
     *
     * @param rateMsgPerSec rate given or found, or tried last; empty if none was found
     * @param search outcome of the search for the rate; null if there was no search
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
        return new ExpectedLoad(
                // The measurement itself shows whether a burst was sent in its time.
                workload.sendWithin() == null ? target : OptionalDouble.empty(),
                publishSeconds(),
                workload.arrivals().isRandom(),
                isEven(),
                driftWithin,
                rateMsgPerSec.isEmpty() ? Optional.empty() : dueProfile(rateMsgPerSec.getAsDouble()));
    }

    private RunResult.Course course() {
        return new RunResult.Course(
                steps(), transfer(), null, session.request.seed().value(), List.of(), sweep());
    }
}
