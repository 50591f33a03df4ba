package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import org.jspecify.annotations.Nullable;

/** Receives the events of this process' runs, one after the other, from the thread that executes them. */
public interface LiveRuns {

    /** The outcome of a run that is left out. */
    String SKIPPED = "SKIPPED";

    /** Ignores all events. */
    LiveRuns NONE = new LiveRuns() {
        @Override
        public RunListener begin(RunRequest request) {
            return RunListener.silent();
        }

        @Override
        public void ended(RunResult result) {}
    };

    /** Receives the runs to come: once, before the first run. */
    default void agenda(Agenda agenda) {}

    /**
     * A run is next; called again when the reason for the wait changes.
     *
     * @param number place of the run in the agenda, from 1
     * @param doing reason for the wait, such as {@code starting a broker}
     */
    default void preparing(int number, String doing) {}

    /** A run starts; returns the listener for its progress. */
    RunListener begin(RunRequest request);

    /** The run that started last has ended. */
    void ended(RunResult result);

    /**
     * A run of the agenda is over, whether it started or not.
     *
     * @param number place of the run in the agenda, from 1
     * @param outcome name of the run's verdict, or {@link #SKIPPED}
     * @param why the problem; null if there was none
     */
    default void finished(int number, String outcome, @Nullable String why) {}

    /** Passes each event to both, in this order. */
    static LiveRuns both(LiveRuns first, LiveRuns second) {
        return new LiveRuns() {
            @Override
            public void agenda(Agenda agenda) {
                first.agenda(agenda);
                second.agenda(agenda);
            }

            @Override
            public void preparing(int number, String doing) {
                first.preparing(number, doing);
                second.preparing(number, doing);
            }

            @Override
            public RunListener begin(RunRequest request) {
                return RunListener.both(first.begin(request), second.begin(request));
            }

            @Override
            public void ended(RunResult result) {
                first.ended(result);
                second.ended(result);
            }

            @Override
            public void finished(int number, String outcome, @Nullable String why) {
                first.finished(number, outcome, why);
                second.finished(number, outcome, why);
            }
        };
    }
}
