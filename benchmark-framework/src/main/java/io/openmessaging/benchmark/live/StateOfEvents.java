package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.FindingsSoFar;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts together from the events of a run what is known of it. Belongs to the run's thread. */
final class StateOfEvents implements RunListener {

    private final Consumer<RunState> states;
    private final FindingsSoFar found;
    private final boolean sweeps;

    private @Nullable RunPhase phase;
    private Optional<Duration> left = Optional.empty();
    private double targetMsgPerSec;
    private @Nullable Totals totals;
    private @Nullable RunPeriod lastPeriod;
    private ResourcePeriod used = ResourcePeriod.NONE;
    private Map<String, Long> errors = Map.of();

    StateOfEvents(Workload workload, Consumer<RunState> states) {
        this.states = states;
        this.sweeps = workload.rateSweep() != null;
        this.found = new FindingsSoFar(workload.messageCount() == null, workload.sloBounds());
    }

    @Override
    public void phase(RunPhase begun) {
        phase = begun;
        left = Optional.empty();
        found.phase(begun, totals, errors);
        tell();
    }

    @Override
    public void load(double rateMsgPerSec) {
        targetMsgPerSec = rateMsgPerSec;
        found.load(rateMsgPerSec);
        tell();
    }

    @Override
    public void tick(RunPhase during, Optional<Duration> leftOfPhase, Totals now) {
        left = leftOfPhase;
        totals = now;
        tell();
    }

    @Override
    public void errors(Map<String, Long> byKind) {
        errors = byKind;
    }

    @Override
    public void resources(ResourcePeriod usedInPeriod) {
        used = usedInPeriod;
    }

    @Override
    public void period(RunPhase during, Optional<Duration> leftOfPhase, PeriodSnapshot period) {
        left = leftOfPhase;
        totals = period.totals();
        lastPeriod = new RunPeriod(period, used);
        found.period(during, period);
        tell();
    }

    @Override
    public void searchStep(double target, double achieved, boolean sustained) {}

    private void tell() {
        List<Finding> findings = sweeps || phase == null ? null : found.findings(errors);
        states.accept(new RunState(phase, left, targetMsgPerSec, totals, lastPeriod, errors, findings));
    }
}
