package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runs of this process, one after the other, as they can be watched: the outcomes, and the current or last run. The
 * live page ({@link News}) and Prometheus ({@link Metrics}) show it.
 *
 * <p>Only the thread that executes the runs writes here. Threads that serve only read, and hold the lock while they copy
 * what they show, so that is the longest that a run can wait. Threads that send or receive never come here. Memory is
 * bounded, however many runs there are and however long they take.
 */
public final class LiveRuns {

    /** The outcome of a run that is left out. */
    public static final String SKIPPED = "SKIPPED";

    /** The number of ended runs that are kept, the latest; the counts by outcome cover all runs. */
    static final int MOST_ROWS = 1_000;

    /** The outcomes of the agenda's runs, by the version in which each was set. */
    final NavigableMap<Long, Row> rows = new TreeMap<>();

    /** The number of runs that have ended in this process. */
    final Map<Verdict, Integer> ended = new EnumMap<>(Verdict.class);

    @Nullable
    RunResult lastEnded;

    @Nullable
    LiveRun run;

    private final LongSupplier clockMs;
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private Agenda agenda = Agenda.NONE;
    private EndEstimate estimate = new EndEstimate(Agenda.NONE);
    private int current;
    private String title = "";
    private String doing = "";
    private boolean over;
    private long version = 1;
    private volatile Runnable watcher = () -> {};

    /**
     * Creates the model before the first run.
     *
     * @param clockMs clock, epoch milliseconds
     */
    public LiveRuns(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** Sets what is called after each change, on the thread that made it; it must not wait for anything. */
    public void watch(Runnable called) {
        watcher = called;
    }

    /** Makes a change, which is the next version. */
    void change(Runnable change) {
        synchronized (this) {
            version++;
            change.run();
        }
        watcher.run();
    }

    /** Returns the number of the last change. */
    public synchronized long version() {
        return version;
    }

    long nowMs() {
        return clockMs.getAsLong();
    }

    /** Sets the runs to come: once, before the first run. */
    public void agenda(Agenda given) {
        change(() -> {
            agenda = given;
            estimate = new EndEstimate(given);
            for (int number = 1; number <= given.items().size(); number++) {
                String earlier = given.items().get(number - 1).earlier();
                if (earlier != null) {
                    keep(Row.without(number, titleOf(number), earlier, null, null));
                }
            }
        });
    }

    /**
     * A run is next; called again when the reason for the wait changes.
     *
     * @param number place of the run in the agenda, from 1
     * @param reason reason for the wait, such as {@code starting a broker}
     */
    public void preparing(int number, String reason) {
        change(() -> {
            current = number;
            title = titleOf(number);
            doing = reason;
            estimate.preparing(number, nowMs());
        });
    }

    /** A run starts, the prepared one or one without an agenda; returns the listener for its progress. */
    public RunListener begin(RunRequest request) {
        LiveRun begun = new LiveRun(this, request);
        change(() -> {
            run = begun;
            begun.begin();
            if (doing.isEmpty()) {
                current++;
                title = begun.head.workload() + " on " + begun.head.driver();
            }
            doing = "";
        });
        return begun;
    }

    /** The run that started last has ended. */
    public void ended(RunResult result) {
        change(() -> {
            if (run != null) {
                run.end(result);
            }
            ended.merge(result.verdict(), 1, Integer::sum);
            lastEnded = result;
            estimate.finished(current, result.verdict().ofWholeRun(), nowMs());
            keep(Row.of(current, title, result, nowMs()));
        });
    }

    /**
     * A run of the agenda is over, whether it started or not.
     *
     * @param number place of the run in the agenda, from 1
     * @param outcome name of the run's verdict, or {@link #SKIPPED}
     * @param why the problem; null if there was none
     */
    public void finished(int number, String outcome, @Nullable String why) {
        change(() -> {
            Row before = row(number);
            if (before != null && before.outcome().equals(outcome)) {
                return;
            }
            boolean whole = Stream.of(Verdict.values())
                    .anyMatch(verdict -> verdict.name().equals(outcome) && verdict.ofWholeRun());
            estimate.finished(number, whole, nowMs());
            keep(
                    before == null
                            ? Row.without(number, titleOf(number), outcome, why, nowMs())
                            : before.ended(outcome, why));
        });
    }

    private @Nullable Row row(int number) {
        return rows.values().stream()
                .filter(row -> row.number() == number)
                .findAny()
                .orElse(null);
    }

    private void keep(Row row) {
        Row before = row(row.number());
        if (before != null) {
            rows.values().remove(before);
            outcomes.merge(before.outcome(), -1, Integer::sum);
        }
        outcomes.merge(row.outcome(), 1, Integer::sum);
        rows.put(++version, row);
        if (rows.size() > MOST_ROWS) {
            rows.pollFirstEntry();
        }
    }

    private String titleOf(int number) {
        return number >= 1 && number <= agenda.items().size()
                ? News.shortened(agenda.items().get(number - 1).title())
                : "run " + number;
    }

    /** Everything has ended: there is only one more change, this one. */
    public void over() {
        change(() -> {
            over = true;
            doing = "";
        });
    }

    News.Progress progress() {
        OptionalLong endMs = over ? OptionalLong.empty() : estimate.endMs(nowMs());
        Map<String, Integer> counts = new TreeMap<>(outcomes);
        counts.values().removeIf(count -> count == 0);
        Double done = run == null || run.ended || !doing.isEmpty() ? null : run.load.done();
        return new News.Progress(
                News.shortened(agenda.plan()),
                new News.Current(current, title, done),
                Math.max(current, agenda.items().size()),
                doing,
                endMs.isPresent() ? endMs.getAsLong() : null,
                counts,
                over);
    }
}
