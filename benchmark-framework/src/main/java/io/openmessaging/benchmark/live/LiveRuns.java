package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;

/** Told of the runs of this process, one after the other, by the thread that executes them. */
public interface LiveRuns {

    /** Tells nobody. */
    LiveRuns NONE = new LiveRuns() {
        @Override
        public RunListener begin(RunRequest request) {
            return RunListener.silent();
        }

        @Override
        public void ended(RunResult result) {}
    };

    /** A run begins; what is returned is to be told how it goes on. */
    RunListener begin(RunRequest request);

    /** The run that began last has ended. */
    void ended(RunResult result);
}
