package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.AbortRules;
import io.openmessaging.benchmark.config.StepPlan;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Bounds;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A measurement that adds producers or consumers step by step, until one of the workload's rules ends it.
 *
 * <p>Clients are created when their step starts, while those of the step before keep sending. The time for that is
 * measured, but belongs to no step. Rules are checked whenever a period has ended, with everything that the step has
 * seen by then, except after the first period of several: just after clients have joined, partitions may still be
 * moving.
 */
final class SteppedLoad extends MeasuredLoad {

    private final StepPlan plan;
    private final AbortRules rules;
    private final List<RunResult.LoadStep> steps = new ArrayList<>();
    private double bestMsgPerSec;

    /** Time in which the load was off between steps. */
    private long offNs;

    SteppedLoad(RunSession session, StepPlan plan) {
        super(session);
        this.plan = plan;
        this.rules = workload.abortRules();
    }

    @Override
    List<RunResult.LoadStep> steps() {
        return List.copyOf(steps);
    }

    /** Returns whether a rule ended the measurement early. */
    private boolean isBroken() {
        return !steps.isEmpty() && !steps.get(steps.size() - 1).clean();
    }

    @Override
    boolean isEven() {
        return false;
    }

    /**
     * Empty once a rule is broken: the last step of a growing load is meant to find out that nothing gets through any
     * more.
     */
    @Override
    Optional<RateProfile> dueProfile(double rateMsgPerSec) {
        return isBroken() ? Optional.empty() : super.dueProfile(rateMsgPerSec);
    }

    /** Nothing is due while the load is off. */
    @Override
    OptionalDouble publishSeconds() {
        return offNs == 0 || isBroken() ? OptionalDouble.empty() : OptionalDouble.of(measuredSeconds() - offNs / 1e9);
    }

    /** Runs the steps; the clients of the first one already exist. */
    @Override
    void measure(double rateMsgPerSec) throws InterruptedException, RunFailedException, DriverException {
        begin(RunPhase.MEASURE);
        int before = plan.from();
        for (int count : plan.counts()) {
            if (count > before) {
                grow(count);
                session.load.stop();
                long stoppedNs = session.time.nowNs();
                session.load.start(RateProfile.steady(rateMsgPerSec));
                offNs += session.time.nowNs() - stoppedNs;
                watchBacklogs(isEven());
                recording.addLast(
                        session.periods.next(), workload.samplePeriod().toNanos() / 1e9, false);
            } else if (!session.load.isOn()) {
                session.load.start(RateProfile.steady(rateMsgPerSec));
            }
            before = count;
            if (!measureStep(count) || isBroken()) {
                return;
            }
        }
    }

    /** Creates clients. Calls to the system know nothing of the stop signal: meanwhile it interrupts this thread. */
    private void grow(int count) throws DriverException, InterruptedException {
        boolean producers = workload.producerSteps() != null;
        session.stop.interruptFrom();
        try {
            session.worker.prepare(new Worker.Prepare(
                    session.description,
                    producers ? count : workload.producersPerTopic(),
                    producers ? workload.consumerPerSubscription() : count));
        } finally {
            session.stop.noInterrupts();
        }
    }

    /** Returns false if the run is to stop, in which case the step does not count. */
    private boolean measureStep(int count) throws InterruptedException, RunFailedException, DriverException {
        StepWatch watch = new StepWatch();
        Optional<Duration> duration = Optional.of(plan.stepTime());
        Observer.End end = sample(duration, look(duration), Optional.empty(), totals -> watch.isBroken());
        RunPeriod all = watch.all();
        if (end == Observer.End.STOPPED || all == null) {
            return false;
        }
        PeriodSnapshot seen = session.workers.given(all.seen());
        Optional<Breach> breach = watch.breach(seen);
        boolean producers = workload.producerSteps() != null;
        RunResult.LoadStep step = new RunResult.LoadStep(
                workload.topics() * (producers ? count : workload.producersPerTopic()),
                session.topology.subscriptionCount()
                        * workload.topics()
                        * (producers ? workload.consumerPerSubscription() : count),
                seen,
                breach.orElse(null),
                all.used(),
                null);
        steps.add(step);
        bestMsgPerSec = Math.max(bestMsgPerSec, seen.publishRate());
        breach.ifPresent(
                broken -> recording.note(Finding.stepsEnded(step.producers(), step.consumers(), broken.text())));
        session.listener.loadStep(step);
        return true;
    }

    /** Checks the rules against what a step has seen. */
    private final class StepWatch {

        private final int firstPeriod = recording.periods().size();
        private int looked = firstPeriod + 1;
        private @Nullable Breach found;

        boolean isBroken() {
            int periods = recording.periods().size();
            if (periods > looked) {
                looked = periods;
                RunPeriod all = all();
                found = all == null
                        ? null
                        : Bounds.abort(rules, session.workers.given(all.seen()), bestMsgPerSec)
                                .orElse(null);
            }
            return found != null;
        }

        Optional<Breach> breach(PeriodSnapshot seen) {
            return found == null ? Bounds.abort(rules, seen, bestMsgPerSec) : Optional.of(found);
        }

        /** The periods of the step as one; null if none has ended. */
        @Nullable
        RunPeriod all() {
            List<RunPeriod> periods = recording.periods();
            return RunPeriod.together(periods.subList(firstPeriod, periods.size()))
                    .orElse(null);
        }
    }
}
