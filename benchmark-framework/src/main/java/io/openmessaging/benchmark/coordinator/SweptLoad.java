package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.SweepPlan;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.ExpectedLoad;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A measurement that goes through rates, from the lowest to the first one that is not sustained even when it is tried again,
 * or so many further.
 *
 * <p>Each begins on a system that has nothing left of the rate before, and settles before it is measured; what comes in
 * between is not measured. The figures of the run are in the end those of one step, see {@link RateSweep#headline()}.
 */
final class SweptLoad {

    private final Session session;
    private final Workload workload;
    private final SweepPlan plan;
    private final Observer observer;
    private final Recording recording;
    private final List<Measured> steps = new ArrayList<>();

    private final Aftermath aftermath;

    /** How many messages of the last rate had not arrived when nothing was on its way any more. */
    private long missing;

    private boolean gaveUp;
    private boolean losslessBefore;

    /** A step, and which of the recorded periods are its own. */
    private record Measured(LoadStep step, int fromPeriod, int toPeriod, long backlogBefore, HarnessUsage usage) {

        /** With what had not arrived when nothing was on its way any more. */
        Measured withRest(long missing) {
            if (missing <= 0 || !step.clean()) {
                return this;
            }
            Breach breach =
                    new Breach("loss", String.format(Locale.ROOT, "%,d messages had not arrived in the end", missing));
            return new Measured(step.refused(breach), fromPeriod, toPeriod, backlogBefore, usage);
        }
    }

    SweptLoad(Session session, SweepPlan plan) {
        this.session = session;
        this.workload = session.workload;
        this.plan = plan;
        this.observer = session.observer;
        this.recording = session.recording;
        this.aftermath = new Aftermath(session);
    }

    /** What begins the measurement of a rate that has settled. */
    interface MeasuringBegin {
        void begin() throws DriverException, InterruptedException;
    }

    /** The rates that have been gone through. */
    RateSweep result() {
        return new RateSweep(steps.stream().map(Measured::step).toList());
    }

    /** The rate whose figures are those of the run, messages a second; empty if none was gone through. */
    OptionalDouble targetMsgPerSec() {
        Double target =
                headline().map(Measured::step).map(LoadStep::targetMsgPerSec).orElse(null);
        return target == null ? OptionalDouble.empty() : OptionalDouble.of(target);
    }

    /** What the harness used at that rate; null if there is none. */
    @Nullable
    HarnessUsage usage() {
        return headline().map(Measured::usage).orElse(null);
    }

    /** The backlog of the slowest subscription when that rate began to be measured. */
    long backlogBefore() {
        return headline().map(Measured::backlogBefore).orElse(0L);
    }

    private Optional<Measured> headline() {
        Optional<LoadStep> headline = result().headline();
        return steps.stream()
                .filter(measured -> headline.isPresent() && measured.step() == headline.get())
                .findFirst();
    }

    /** Whether what the last rate has left did not all arrive. */
    boolean gaveUp() {
        return gaveUp;
    }

    /** Whether a rate was refused, which may have left behind what the run's end finds missing. */
    boolean wentBeyond() {
        return losslessBefore && steps.stream().anyMatch(step -> !step.step().clean());
    }

    /**
     * Goes through the rates. Whatever ends that, what is kept of the recording in the end is the headline's.
     *
     * @param beginMeasuring is called when a rate has settled
     */
    void measure(MeasuringBegin beginMeasuring) throws InterruptedException, RunFailedException, DriverException {
        List<Double> rates = plan.rates(workload.meanMessageBytes());
        try {
            if (calmDown(rates.get(0), workload.warmupTime())) {
                losslessBefore = missing <= 0;
                if (goThrough(rates, beginMeasuring)) {
                    judgeKnee();
                }
            }
        } finally {
            headline().ifPresent(step -> recording.keepOnly(step.fromPeriod(), step.toPeriod()));
        }
    }

    /** Returns false if the run was to stop, or cannot go on. */
    private boolean goThrough(List<Double> rates, MeasuringBegin beginMeasuring)
            throws InterruptedException, RunFailedException, DriverException {
        int further = plan.further();
        boolean passed = false;
        for (double rate : rates) {
            if (passed && further-- == 0) {
                return true;
            }
            boolean sustained = false;
            // One hiccup is not the limit of a system.
            for (int tries = 0; tries < (passed ? 1 : 2) && !sustained; tries++) {
                if (!goThrough(rate, beginMeasuring)) {
                    return false;
                }
                sustained = steps.get(steps.size() - 1).step().clean();
            }
            passed = !sustained;
            further = sustained ? plan.further() : further;
        }
        return true;
    }

    private boolean goThrough(double rateMsgPerSec, MeasuringBegin beginMeasuring)
            throws InterruptedException, RunFailedException, DriverException {
        long beginNs = session.time.nowNs();
        Optional<Measured> measured = measureAt(rateMsgPerSec, beginMeasuring);
        if (measured.isEmpty()) {
            return false;
        }
        boolean goesOn = calmDown(rateMsgPerSec, Duration.ofNanos(session.time.nowNs() - beginNs));
        Measured step = measured.get().withRest(missing);
        steps.add(step);
        session.listener.loadStep(step.step());
        return goesOn;
    }

    /**
     * Lets everything arrive before the next rate. Returns false if the run is to stop, or if there is no end to what
     * arrives: no other rate could be judged then, and that is a finding.
     */
    private boolean calmDown(double rateMsgPerSec, Duration loaded)
            throws InterruptedException, RunFailedException, DriverException {
        recording.begin(RunPhase.SETTLE);
        Aftermath.Outcome left = aftermath.await(loaded);
        missing = left.missing();
        gaveUp = left.end() != Observer.End.DONE;
        if (left.end() == Observer.End.TIME_UP) {
            recording.note(Finding.sweepNotDrained(
                    rateMsgPerSec, missing, left.seconds(), steps.isEmpty() ? Severity.INVALIDATES : Severity.NOTE));
        }
        return left.isOver();
    }

    /** Empty if the run is to stop, in which case the rate does not count. */
    private Optional<Measured> measureAt(double rateMsgPerSec, MeasuringBegin beginMeasuring)
            throws InterruptedException, RunFailedException, DriverException {
        session.load.start(RateProfile.steady(rateMsgPerSec));
        if (observer.waitUntil(plan.settleTime(), session.limits.tick(), Optional.empty(), totals -> false)
                == Observer.End.STOPPED) {
            return Optional.empty();
        }
        beginMeasuring.begin();
        int fromPeriod = recording.periods().size();
        Worker.Status before = observer.status();
        long backlogBefore = before.totals().largestBacklog();
        Pace pace = new Pace(rateMsgPerSec, session.random(), plan.stepTime());
        Observer.End end = observer.sampleUntil(Optional.of(plan.stepTime()), Pace.LOOK, Optional.empty(), totals -> {
            pace.look(session.time.nowNs(), totals);
            return false;
        });
        int toPeriod = recording.periods().size();
        if (end == Observer.End.STOPPED || toPeriod == fromPeriod) {
            return Optional.empty();
        }
        List<RunPeriod> periods = List.copyOf(recording.periods().subList(fromPeriod, toPeriod));
        RunPeriod all = RunPeriod.together(periods).orElseThrow();
        Worker.Status now = observer.status();
        LoadStep step = new LoadStep(
                session.topology.producers().size(),
                session.topology.consumers().size(),
                all.seen(),
                breach(
                                rateMsgPerSec,
                                periods.stream().map(RunPeriod::seen).toList(),
                                backlogBefore,
                                errorsSince(before.errors(), now.errors()),
                                pace)
                        .orElse(null),
                all.used(),
                rateMsgPerSec);
        return Optional.of(new Measured(
                step, fromPeriod, toPeriod, backlogBefore, now.usage().since(before.usage())));
    }

    private static Map<String, Long> errorsSince(Map<String, Long> before, Map<String, Long> now) {
        Map<String, Long> since = new HashMap<>(now);
        before.forEach((kind, count) -> since.merge(kind, -count, Long::sum));
        since.values().removeIf(count -> count <= 0);
        return since;
    }

    /** Why the rate is not sustained: what would make a run of its own INVALID, a pace that is not kept, a missed slo. */
    private Optional<Breach> breach(
            double rateMsgPerSec,
            List<PeriodSnapshot> periods,
            long backlogBefore,
            Map<String, Long> errors,
            Pace pace) {
        List<Finding> findings =
                Judge.ofRate(periods, expected(rateMsgPerSec), backlogBefore, errors, workload.sloBounds());
        Optional<Breach> unsound = breach(findings, Severity.INVALIDATES);
        if (unsound.isPresent()) {
            return unsound;
        }
        if (!pace.keptUp()) {
            return Optional.of(new Breach(
                    "pace",
                    pace.backlogGrowth() > 0
                            ? String.format(
                                    Locale.ROOT,
                                    "the slowest subscription fell behind, by %,d messages",
                                    pace.backlogGrowth())
                            : "the confirmations fell behind what was due"));
        }
        return breach(findings, Severity.MISSES_SLO);
    }

    private ExpectedLoad expected(double rateMsgPerSec) {
        return new ExpectedLoad(
                OptionalDouble.of(rateMsgPerSec),
                OptionalDouble.empty(),
                session.random(),
                true,
                OptionalDouble.empty(),
                Optional.of(RateProfile.steady(rateMsgPerSec)));
    }

    private static Optional<Breach> breach(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .findFirst()
                .map(finding -> new Breach(finding.kind(), finding.text()));
    }

    private void judgeKnee() {
        RateSweep sweep = result();
        double lowestMsgPerSec = target(sweep.steps().get(0));
        LoadStep last = sweep.steps().get(sweep.steps().size() - 1);
        LoadStep knee = sweep.knee().orElse(null);
        if (knee == null) {
            recording.note(Finding.noSustainableRate(lowestMsgPerSec));
        } else if (knee == last) {
            recording.note(Finding.kneeAtEdge(target(knee), true));
        } else if (target(knee) == lowestMsgPerSec) {
            recording.note(Finding.kneeAtEdge(lowestMsgPerSec, false));
        }
    }

    private static double target(LoadStep step) {
        Double target = step.targetMsgPerSec();
        return target == null ? 0 : target;
    }
}
