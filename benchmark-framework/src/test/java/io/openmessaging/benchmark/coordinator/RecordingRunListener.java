package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Keeps what a run's listener was told. */
public final class RecordingRunListener implements RunListener {

    public final List<RunPhase> phases = new ArrayList<>();
    /** What was known when a period had ended. */
    public final List<RunState> periods = new ArrayList<>();

    /** What was known when time had passed. */
    public final List<RunState> ticks = new ArrayList<>();

    /** What the run has waited for for long. */
    public final List<String> waits = new ArrayList<>();

    public final List<String> steps = new ArrayList<>();
    public final List<String> loadSteps = new ArrayList<>();
    public final List<String> sweep = new ArrayList<>();
    private RunState last = RunState.NONE;
    private Consumer<RunPhase> onPhase = phase -> {};

    /** Does something when a phase begins. */
    public void onPhase(RunPhase wanted, Runnable action) {
        onPhase = phase -> {
            if (phase == wanted) {
                action.run();
            }
        };
    }

    @Override
    public void waits(String what) {
        waits.add(what);
    }

    @Override
    public void state(RunState now) {
        RunPhase phase = Objects.requireNonNull(now.phase());
        if (phase != last.phase()) {
            phases.add(phase);
            onPhase.accept(phase);
        } else if (now.lastPeriod() != last.lastPeriod()) {
            periods.add(now);
        } else if (now.targetMsgPerSec() == last.targetMsgPerSec()) {
            ticks.add(now);
        }
        last = now;
    }

    @Override
    public void searchStep(RunResult.SearchStep step) {
        steps.add(Math.round(step.targetMsgPerSec()) + (step.sustained() ? " sustained" : " not sustained"));
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
