package io.openmessaging.benchmark.cli.console;

import io.openmessaging.benchmark.fleet.WorkersLine;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.console.PeriodLine;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows a run's progress: one changing line on a terminal, one line per period in a pipe, at most every 10 s. */
public final class ProgressConsole implements RunListener {

    private static final String BACK_TO_START_AND_ERASE = "\r\u001b[K";

    /** A line that is too long for the terminal is cut off, since the rest of a wrapped line could not be erased. */
    private static final String NO_WRAP = "\u001b[?7l";

    private static final String WRAP = "\u001b[?7h";

    /** Time between two lines of a phase in a pipe, unless periods are longer. It is the usual length of a period. */
    private static final long PIPE_LINE_NS = 10_000_000_000L;

    private final PrintWriter out;
    private final boolean terminal;
    private RunState shown = RunState.NONE;
    private List<WorkerState> workers = List.of();

    /** Last period of the current phase. */
    private @Nullable PeriodSnapshot lastPeriod;

    /** When a line of the current phase was printed in a pipe, in the run's time; null before the first. */
    private @Nullable Long printedNs;

    /** Creates a display; {@code terminal} tells whether the output is one. */
    public ProgressConsole(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    @Override
    public void state(RunState now) {
        boolean phaseBegins = now.phase() != shown.phase();
        boolean periodEnded = now.lastPeriod() != shown.lastPeriod();
        RunPeriod period = now.lastPeriod();
        if (phaseBegins || periodEnded) {
            lastPeriod = periodEnded && period != null ? period.seen() : null;
        }
        shown = now;
        if (phaseBegins) {
            printedNs = null;
        }
        String phase = now.phase() == null ? "" : now.phase().label();
        Totals totals = now.totals();
        if (terminal && (phaseBegins || totals == null)) {
            show(withWorkers(phase + " …"));
        } else if (totals != null && (terminal || (periodEnded && isTimeForALine()))) {
            String line = PeriodLine.render(phase, now.left().orElse(null), lastPeriod, totals);
            if (terminal) {
                show(withWorkers(line));
            } else {
                print(withWorkers(line));
            }
        }
    }

    /** Returns whether it is long enough since the last line in a pipe, and notes the new one. */
    private boolean isTimeForALine() {
        long nowNs = lastPeriod == null ? 0 : lastPeriod.endNs();
        if (printedNs != null && nowNs - printedNs < PIPE_LINE_NS) {
            return false;
        }
        printedNs = nowNs;
        return true;
    }

    /** In a pipe, prints a line when the state of a worker changes: it may be back before the next period ends. */
    @Override
    public void workers(List<WorkerState> now) {
        List<WorkerState> before = workers;
        workers = now;
        for (int i = 0; i < now.size() && !terminal; i++) {
            String was = i < before.size() ? WorkersLine.state(before.get(i)) : WorkersLine.UP;
            String is = WorkersLine.state(now.get(i));
            if (!is.equals(was)) {
                print(now.get(i).name() + ": " + is);
            }
        }
    }

    /** Puts problems first: a line that is too long is cut off at its end. */
    private String withWorkers(String line) {
        String trouble = WorkersLine.trouble(workers);
        return trouble.isEmpty()
                ? workers.isEmpty() ? line : line + " | " + WorkersLine.count(workers)
                : trouble + " | " + line;
    }

    /** Shows what the run is waiting for, in the changing line of a terminal or in a line of its own. */
    @Override
    public void waits(String what) {
        String line = (shown.phase() == null ? "" : shown.phase().label() + ": ") + what;
        if (terminal) {
            show(withWorkers(line));
        } else {
            print(withWorkers(line));
        }
    }

    @Override
    public void searchStep(RunResult.SearchStep step) {
        RunResult.Breach breach = step.breach();
        String held = step.measured() ? "held when measured" : step.confirming() ? "held in a longer try" : "sustained";
        clear();
        print(String.format(
                Locale.ROOT,
                "search: %,.0f msg/s %s (%,.0f achieved)",
                step.targetMsgPerSec(),
                breach == null ? held : "not " + held + ": " + breach.text(),
                step.achievedMsgPerSec()));
    }

    @Override
    public void loadStep(RunResult.LoadStep step) {
        RunResult.Breach breach = step.breach();
        clear();
        Double target = step.targetMsgPerSec();
        if (target != null) {
            print("sweep: " + Quantities.messageRate(target) + " "
                    + (breach == null
                            ? "sustained, p99 " + PeriodLine.p99s(step.seen())
                            : "not sustained: " + breach.text()));
            return;
        }
        print(String.format(
                Locale.ROOT,
                "step: %s, %s: %,.0f msg/s, %s",
                Quantities.counted(step.producers(), "producer"),
                Quantities.counted(step.consumers(), "consumer"),
                step.seen().publishRate(),
                breach == null ? "clean" : breach.text()));
    }

    /** Shows the progress of a worker that the run is waiting for. */
    public void waiting(String progress) {
        if (terminal) {
            show((shown.phase() == null ? "" : shown.phase().label() + ": ") + progress);
        }
    }

    /** Erases the changing line before something permanent is printed. */
    public void clear() {
        if (terminal) {
            out.print(BACK_TO_START_AND_ERASE);
            out.flush();
        }
    }

    private void show(String line) {
        out.print(BACK_TO_START_AND_ERASE + NO_WRAP + line + WRAP);
        out.flush();
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
