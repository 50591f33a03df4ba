package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.live.page.RunView.Step;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of the page: receives events of all runs from their thread and passes them to readers. Without readers,
 * it keeps only what a later reader needs to see, and creates no events. Thread-safe.
 */
final class LivePage implements LiveRuns {

    private final LongSupplier clockMs;
    private final Audience readers;
    private final Board board = new Board();
    private @Nullable RunCourse course;

    /**
     * Creates an empty page.
     *
     * @param clockMs clock, epoch milliseconds
     * @param readers readers of the page
     */
    LivePage(LongSupplier clockMs, Audience readers) {
        this.clockMs = clockMs;
        this.readers = readers;
    }

    @Override
    public synchronized void agenda(Agenda agenda) {
        board.agenda(agenda);
        readers.tell(this::snapshot);
    }

    @Override
    public synchronized void preparing(int number, String doing) {
        board.preparing(number, doing, clockMs.getAsLong());
        tellAdvance();
    }

    private void tellAdvance() {
        readers.tell(() -> new PageEvent.Advance(board.progress(clockMs.getAsLong())));
    }

    @Override
    public synchronized RunListener begin(RunRequest request) {
        RunCourse begun = new RunCourse(RunHead.of(request, clockMs.getAsLong()));
        course = begun;
        board.begun(begun.head());
        tellAdvance();
        readers.tell(() -> new PageEvent.Run(begun.view()));
        return new Listener(begun);
    }

    @Override
    public synchronized void ended(RunResult result) {
        long nowMs = clockMs.getAsLong();
        RunCourse ending = course;
        if (ending != null) {
            ending.end(result, nowMs);
            tellSecond(ending, false);
        }
        Row row = board.ended(result, nowMs);
        readers.tell(() -> new PageEvent.Ended(row));
        tellAdvance();
    }

    @Override
    public synchronized void finished(int number, String outcome, @Nullable String why) {
        Row row = board.finished(number, outcome, why, clockMs.getAsLong());
        if (row != null) {
            readers.tell(() -> new PageEvent.Ended(row));
            tellAdvance();
        }
    }

    /** Marks everything as ended. */
    synchronized void over() {
        board.over();
        tellAdvance();
    }

    private PageEvent.Snapshot snapshot() {
        return new PageEvent.Snapshot(
                board.progress(clockMs.getAsLong()), board.rows(), course == null ? null : course.view());
    }

    /**
     * Adds a reader, which receives all further events.
     *
     * @param enter adds the reader to the audience; returns false if there is no room
     * @return the state so far, which is the reader's first event; null if there is no room
     */
    synchronized PageEvent.@Nullable Snapshot join(BooleanSupplier enter) {
        return enter.getAsBoolean() ? snapshot() : null;
    }

    private void tellSecond(RunCourse of, boolean tick) {
        readers.tell(() -> new PageEvent.Second(
                of.now(), tick ? of.lastTick() : null, of.lastTickIndex(), board.endMs(clockMs.getAsLong())));
    }

    /** Listens to one run. */
    private final class Listener implements RunListener {

        private final RunCourse told;

        Listener(RunCourse told) {
            this.told = told;
        }

        @Override
        public void state(RunState now) {
            synchronized (LivePage.this) {
                RunCourse.Added added = told.state(now, clockMs.getAsLong());
                if (added.joined()) {
                    readers.tell(() -> new PageEvent.Run(told.view()));
                    return;
                }
                RunView.Phase phase = added.phase();
                if (phase != null) {
                    readers.tell(() -> new PageEvent.Phase(phase));
                }
                if (added.period()) {
                    readers.tell(() -> new PageEvent.Period(told.lastPeriod(), told.lastPeriodIndex(), told.uses()));
                }
                tellSecond(told, added.tick());
            }
        }

        @Override
        public void workers(List<WorkerState> now) {
            synchronized (LivePage.this) {
                told.workers(now);
            }
        }

        @Override
        public void faults(List<FaultState> now) {
            synchronized (LivePage.this) {
                told.faults(now);
            }
        }

        @Override
        public void searchStep(RunResult.SearchStep step) {
            step(new Step("", step.targetMsgPerSec(), step.achievedMsgPerSec(), problem(step.breach())));
        }

        @Override
        public void loadStep(RunResult.LoadStep step) {
            String clients =
                    String.format(Locale.ROOT, "%,d producers, %,d consumers", step.producers(), step.consumers());
            step(new Step(
                    step.targetMsgPerSec() == null ? clients : "",
                    step.targetMsgPerSec(),
                    step.seen().publishRate(),
                    problem(step.breach())));
        }

        private static String problem(RunResult.@Nullable Breach breach) {
            return breach == null ? "" : FindingRow.shortened(breach.text());
        }

        private void step(Step step) {
            synchronized (LivePage.this) {
                told.step(step);
                readers.tell(() -> new PageEvent.Step(step));
            }
        }
    }

    /** The receivers of page events. */
    @FunctionalInterface
    interface Audience {

        /** Sends an event to all readers; the event is only created if there is a reader. Never waits. */
        void tell(Supplier<PageEvent> message);
    }
}
