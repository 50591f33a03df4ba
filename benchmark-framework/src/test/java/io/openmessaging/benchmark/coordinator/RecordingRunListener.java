package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Records everything that a run reports to its listener. */
public final class RecordingRunListener implements RunListener {

    public final List<RunPhase> phases = new ArrayList<>();
    /** States at the ends of periods. */
    public final List<RunState> periods = new ArrayList<>();

    /** States that differ only in elapsed time. */
    public final List<RunState> ticks = new ArrayList<>();

    /** Long waits that the run reported. */
    public final List<String> waits = new ArrayList<>();

    public final List<String> steps = new ArrayList<>();
    public final List<String> loadSteps = new ArrayList<>();
    public final List<String> sweep = new ArrayList<>();
    private RunState last = RunState.NONE;
    private Consumer<RunPhase> onPhase = phase -> {};

    /** Runs an action when a phase starts. */
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
