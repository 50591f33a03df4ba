package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Keeps what a run's listener was told. */
final class Told implements RunListener {

    /** A period, as it was told. */
    record Period(RunPhase phase, Optional<Duration> left, PeriodSnapshot period) {}

    /** A tick, as it was told. */
    record Tick(RunPhase phase, Optional<Duration> left, Totals totals) {}

    final List<RunPhase> phases = new ArrayList<>();
    final List<Period> periods = new ArrayList<>();
    final List<Tick> ticks = new ArrayList<>();
    final List<String> steps = new ArrayList<>();
    final List<String> loadSteps = new ArrayList<>();
    final List<String> sweep = new ArrayList<>();
    private Consumer<RunPhase> onPhase = phase -> {};

    /** Does something when a phase begins. */
    void onPhase(RunPhase wanted, Runnable action) {
        onPhase = phase -> {
            if (phase == wanted) {
                action.run();
            }
        };
    }

    @Override
    public void phase(RunPhase phase) {
        phases.add(phase);
        onPhase.accept(phase);
    }

    @Override
    public void tick(RunPhase phase, Optional<Duration> left, Totals totals) {
        ticks.add(new Tick(phase, left, totals));
    }

    @Override
    public void period(RunPhase phase, Optional<Duration> left, PeriodSnapshot period) {
        periods.add(new Period(phase, left, period));
    }

    @Override
    public void searchStep(double targetMsgPerSec, double achievedMsgPerSec, boolean sustained) {
        steps.add(Math.round(targetMsgPerSec) + (sustained ? " sustained" : " not sustained"));
    }

    @Override
    public void loadStep(RunResult.LoadStep step) {
        RunResult.Breach breach = step.breach();
        Double target = step.targetMsgPerSec();
        if (target != null) {
            sweep.add(Math.round(target) + " " + (breach == null ? "sustained" : breach.rule()));
        }
        loadSteps.add(step.producers() + " " + (breach == null ? "clean" : breach.rule()));
    }
}
