package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.result.RunResult;
import java.util.List;

/** Receives the progress of a run, on the run's thread. */
public interface RunListener {

    /**
     * Reports the current state: when a phase starts, when the load changes, about every second, and when a period has
     * ended.
     */
    void state(RunState now);

    /** Reports the workers in their order: before each state, and once a second while the run waits for one of them. */
    default void workers(List<WorkerState> now) {}

    /** Reports the faults ordered so far, in order: before the next state, if one of them has changed. */
    default void faults(List<FaultState> now) {}

    /** Reports what the run waits for while it sends nothing: if the wait takes long, or if the user wants to stop. */
    default void waits(String what) {}

    /** Reports that a step of the search has ended. */
    default void searchStep(RunResult.SearchStep step) {}

    /** Reports that a step with a number of clients, or with one rate of several, has ended. */
    default void loadStep(RunResult.LoadStep step) {}

    /** A listener that ignores everything. */
    static RunListener silent() {
        return now -> {};
    }

    /** A listener that calls both, in this order. */
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
