package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import org.jspecify.annotations.Nullable;

/** Told of the runs of this process, one after the other, by the thread that executes them. */
public interface LiveRuns {

    /** What becomes of a run that is left out. */
    String SKIPPED = "SKIPPED";

    /** Tells nobody. */
    LiveRuns NONE = new LiveRuns() {
        @Override
        public RunListener begin(RunRequest request) {
            return RunListener.silent();
        }

        @Override
        public void ended(RunResult result) {}
    };

    /** What is going to be run: told once, before the first run. */
    default void agenda(Agenda agenda) {}

    /**
     * A run is next; told again when what it waits for is something else.
     *
     * @param number its place in the agenda, from 1
     * @param doing what is waited for, such as {@code starting a broker}
     */
    default void preparing(int number, String doing) {}

    /** A run begins; what is returned is to be told of its progress. */
    RunListener begin(RunRequest request);

    /** The run that began last has ended. */
    void ended(RunResult result);

    /**
     * Nothing more happens to a run of the agenda, whether it began or not.
     *
     * @param number its place in the agenda, from 1
     * @param outcome the name of its verdict, or {@link #SKIPPED}
     * @param why what went wrong; null if nothing did
     */
    default void finished(int number, String outcome, @Nullable String why) {}

    /** Tells two, in this order. */
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
