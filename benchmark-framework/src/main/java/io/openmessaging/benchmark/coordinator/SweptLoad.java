package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.SweepPlan;
import io.openmessaging.benchmark.coordinator.session.Aftermath;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.BacklogTrend;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.judge.SweepJudge;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A measurement that goes through rates, from the lowest to the first one that is not sustained even when tried again,
 * or a given number beyond it.
 *
 * <p>Each rate starts on a system that has drained the messages of the previous rate, and settles before it is
 * measured; the time in between is not measured. At the end, the figures of the run are those of one step, see
 * {@link RateSweep#headline()}.
 */
final class SweptLoad extends MeasuredLoad {

    private final SweepPlan plan;
    private final Observer observer;
    private final List<Measured> steps = new ArrayList<>();

    private final Aftermath aftermath;

    /** Number of messages of the last rate that had not arrived when nothing was on its way any more. */
    private long missing;

    private boolean gaveUp;
    private boolean losslessBefore;

    /** A step, and the range of recorded periods that belong to it. */
    private record Measured(
            LoadStep step, int fromPeriod, int toPeriod, BacklogTrend backlogs, List<HarnessUsage> usage) {

        /** Returns the step refused for a reason, unless it has one already, or there is none. */
        Measured refusedFor(Optional<Breach> reason) {
            return step.clean() && reason.isPresent() ? refused(reason.get()) : this;
        }

        /** Returns the step refused, because two other tries at its rate were. */
        Measured outvoted() {
            return step.clean()
                    ? refused(new Breach("tries", "two of three tries at this rate were not sustained"))
                    : this;
        }

        private Measured refused(Breach breach) {
            return new Measured(step.refused(breach), fromPeriod, toPeriod, backlogs, usage);
        }
    }

    SweptLoad(RunSession session, SweepPlan plan) {
        super(session);
        this.plan = plan;
        this.observer = session.observer;
        this.aftermath = new Aftermath(session);
    }

    @Override
    boolean goesOnFromWarmUp() {
        return false;
    }

    @Override
    @Nullable
    RateSweep sweep() {
        return steps.isEmpty() ? null : result();
    }

    private RateSweep result() {
        return new RateSweep(steps.stream().map(Measured::step).toList());
    }

    /** The target of the step whose figures are those of the run; empty if no step was measured. */
    @Override
    OptionalDouble targetMsgPerSec(double firstMsgPerSec) {
        Double target =
                headline().map(Measured::step).map(LoadStep::targetMsgPerSec).orElse(null);
        return target == null ? OptionalDouble.empty() : OptionalDouble.of(target);
    }

    @Override
    List<HarnessUsage> usage() {
        return headline().map(Measured::usage).orElse(List.of());
    }

    @Override
    List<BacklogTrend> backlogs() {
        return headline().map(step -> List.of(step.backlogs())).orElse(List.of());
    }

    private Optional<Measured> headline() {
        Optional<LoadStep> headline = result().headline();
        return steps.stream()
                .filter(measured -> headline.isPresent() && measured.step() == headline.get())
                .findFirst();
    }

    /** Returns whether some messages of the last rate did not arrive. */
    @Override
    boolean gaveUp() {
        return gaveUp;
    }

    /**
     * Returns whether a rate was refused, which may have left behind the messages that are missing at the run's end.
     */
    @Override
    boolean wentBeyond() {
        return losslessBefore && steps.stream().anyMatch(step -> !step.step().clean());
    }

    /** Measures at each rate. However that ends, the recording keeps only the headline's periods. */
    @Override
    void measure(double firstMsgPerSec) throws InterruptedException, RunFailedException, DriverException {
        List<Double> rates = plan.rates(workload.meanMessageBytes());
        try {
            if (awaitDrained(rates.get(0))) {
                losslessBefore = missing <= 0;
                if (measureAll(rates)) {
                    SweepJudge.knee(result()).ifPresent(recording::note);
                }
            }
        } finally {
            headline().ifPresent(step -> recording.keepOnly(step.fromPeriod(), step.toPeriod()));
        }
    }

    /** Returns false if the run is to stop, or cannot continue. */
    private boolean measureAll(List<Double> rates) throws InterruptedException, RunFailedException, DriverException {
        int further = plan.further();
        boolean passed = false;
        for (double rate : rates) {
            if (passed && further-- == 0) {
                return true;
            }
            int first = steps.size();
            int votes = 0;
            // One failed try does not prove the limit of a system, nor one good try its capacity: two of three decide.
            do {
                if (!measureStep(rate)) {
                    return false;
                }
                votes += steps.get(steps.size() - 1).step().clean() ? 1 : -1;
            } while (!passed && (votes == 0 || (votes == -1 && steps.size() == first + 1)));
            boolean sustained = votes > 0;
            if (!sustained) {
                steps.subList(first, steps.size()).replaceAll(Measured::outvoted);
            }
            passed = !sustained;
            further = sustained ? plan.further() : further;
        }
        return true;
    }

    private boolean measureStep(double rateMsgPerSec) throws InterruptedException, RunFailedException, DriverException {
        Worker.Status before = observer.status();
        Optional<Measured> measured = measureAt(rateMsgPerSec);
        if (measured.isEmpty()) {
            return false;
        }
        boolean goesOn = awaitDrained(rateMsgPerSec);
        Worker.Status now = observer.status();
        Measured step = measured.get()
                .refusedFor(
                        SweepJudge.incomplete(missing, now.totals().minus(before.totals()), now.errorsSince(before)));
        steps.add(step);
        session.listener.loadStep(step.step());
        return goesOn;
    }

    /**
     * Lets everything arrive before the next rate. Returns false if the run is to stop, or if messages do not stop
     * arriving: no other rate could be judged then, and that is a finding.
     */
    private boolean awaitDrained(double rateMsgPerSec)
            throws InterruptedException, RunFailedException, DriverException {
        recording.begin(RunPhase.SETTLE);
        Aftermath.Leftover left = aftermath.await();
        missing = left.missing();
        gaveUp = left.end() != Observer.End.DONE;
        if (left.end() == Observer.End.TIME_UP) {
            recording.note(Finding.sweepNotDrained(
                    rateMsgPerSec,
                    missing,
                    left.seconds(),
                    sustainedAnotherThan(rateMsgPerSec) ? Severity.NOTE : Severity.INVALIDATES));
        }
        return left.isOver();
    }

    /** Returns whether the knee is known without the tries of a rate, which are not over. */
    private boolean sustainedAnotherThan(double rateMsgPerSec) {
        return steps.stream()
                .map(Measured::step)
                .anyMatch(step -> step.clean() && !Objects.equals(step.targetMsgPerSec(), rateMsgPerSec));
    }

    /** Measures at a rate. Empty if the run is to stop, in which case the rate does not count. */
    private Optional<Measured> measureAt(double rateMsgPerSec)
            throws InterruptedException, RunFailedException, DriverException {
        session.load.start(RateProfile.steady(rateMsgPerSec));
        if (observer.pass(plan.settleTime()) == Observer.End.STOPPED) {
            return Optional.empty();
        }
        Worker.Status before = begin(RunPhase.MEASURE);
        int fromPeriod = recording.periods().size();
        Pace pace = new Pace(rateMsgPerSec, workload.arrivals().isRandom(), plan.stepTime());
        Observer.End end = sample(Optional.of(plan.stepTime()), Pace.LOOK, Optional.empty(), totals -> {
            pace.look(session.time.nowNs(), totals);
            return false;
        });
        BacklogTrend trend = backlogs.get(backlogs.size() - 1);
        int toPeriod = recording.periods().size();
        if (end == Observer.End.STOPPED || toPeriod == fromPeriod) {
            return Optional.empty();
        }
        List<RunPeriod> periods = List.copyOf(recording.periods().subList(fromPeriod, toPeriod));
        RunPeriod all = RunPeriod.together(periods).orElseThrow();
        List<PeriodSnapshot> seen =
                session.workers.given(periods.stream().map(RunPeriod::seen).toList());
        Worker.Status now = observer.status();
        LoadStep step = new LoadStep(
                session.topology.producerCount(),
                session.topology.consumerCount(),
                PeriodSnapshot.together(seen).orElseThrow(),
                SweepJudge.breach(pace, seen, trend, now.errorsSince(before), workload.sloBounds())
                        .orElse(null),
                all.used(),
                rateMsgPerSec);
        return Optional.of(
                new Measured(step, fromPeriod, toPeriod, trend, HarnessUsage.since(before.usage(), now.usage())));
    }
}
