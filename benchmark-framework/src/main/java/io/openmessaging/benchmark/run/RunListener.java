package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.result.RunResult;
import java.util.List;

/** Told of a run's progress, on the run's thread. */
public interface RunListener {

    /** What is known now: told when a phase begins, when the load changes, each second or so, and when a period has ended. */
    void state(RunState now);

    /** How the workers are, in their order: told before each state, and once a second while one is waited for. */
    default void workers(List<WorkerState> now) {}

    /** Which faults have been ordered so far, in order: told before the next state, when something about them has changed. */
    default void faults(List<FaultState> now) {}

    /** The run waits, while nothing is sent, for what these words say: told if it takes long, or if the user wants to stop. */
    default void waits(String what) {}

    /** A step of the search has ended. */
    default void searchStep(RunResult.SearchStep step) {}

    /** A step with a number of clients, or with one rate of several, has ended. */
    default void loadStep(RunResult.LoadStep step) {}

    /** Tells nobody. */
    static RunListener silent() {
        return now -> {};
    }

    /** Tells two, in this order. */
    static RunListener both(RunListener first, RunListener second) {
        return new RunListener() {
            @Override
            public void state(RunState now) {
                first.state(now);
                second.state(now);
            }

            @Override
            public void workers(List<WorkerState> now) {
                first.workers(now);
                second.workers(now);
            }

            @Override
            public void faults(List<FaultState> now) {
                first.faults(now);
                second.faults(now);
            }

            @Override
            public void waits(String what) {
                first.waits(what);
                second.waits(what);
            }

            @Override
            public void searchStep(RunResult.SearchStep step) {
                first.searchStep(step);
                second.searchStep(step);
            }

            @Override
            public void loadStep(RunResult.LoadStep step) {
                first.loadStep(step);
                second.loadStep(step);
            }
        };
    }
}
