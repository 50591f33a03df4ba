package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The course of one run, bounded however long it takes. Not thread-safe. */
final class RunCourse {

    /** Neighbours are joined after ten minutes, at one reading per second. */
    static final int MOST_TICKS = 600;

    /** Neighbours are joined after 40 minutes, at periods of 10 s. */
    static final int MOST_PERIODS = 240;

    private static final int MOST_PHASES = 200;
    private static final int MOST_STEPS = 200;
    private static final int MOST_ERRORS = 20;

    /** Closer readings would compute rates from a few messages over a few milliseconds. */
    private static final long SHORTEST_TICK_MS = 500;

    private final RunHead head;
    private final History<Tick> ticks = new History<>(MOST_TICKS, Tick::followedBy);
    private final History<PeriodPoint> periods = new History<>(MOST_PERIODS, PeriodPoint::followedBy);
    private final List<RunView.Phase> phases = new ArrayList<>();
    private final List<RunView.Step> steps = new ArrayList<>();
    private final Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    private final Map<String, String> roles = new LinkedHashMap<>();
    private final Findings findings = new Findings();
    private RunState state = RunState.NONE;
    private List<Now.FaultNow> faults = List.of();
    private List<WorkerState> workers = List.of();
    private boolean ended;

    RunCourse(RunHead head) {
        this.head = head;
        ticks.add(Tick.first(head.beginMs()));
    }

    /**
     * The additions of a state.
     *
     * @param phase a phase that has started; null if none has
     * @param tick true if there is another reading of the counts
     * @param period true if there is another period
     * @param joined true if older points were joined, so that all have changed
     */
    record Added(RunView.@Nullable Phase phase, boolean tick, boolean period, boolean joined) {}

    Added state(RunState now, long atMs) {
        RunState before = state;
        state = now;
        findings.now(now.findings(), atMs);
        RunView.Phase phase = now.phase() == before.phase() || now.phase() == null ? null : phase(now.phase(), atMs);
        boolean tick = false;
        boolean another = false;
        boolean joined = false;
        Totals totals = now.totals();
        // Only new counts, not the last counts reported again along with something else.
        if (totals != null && totals != before.totals() && atMs - ticks.last().atMs() >= SHORTEST_TICK_MS) {
            tick = true;
            joined = ticks.add(Tick.of(atMs, totals, targetMsgPerSec()));
        }
        RunPeriod period = now.lastPeriod();
        if (period != null && period != before.lastPeriod()) {
            another = true;
            joined |= periods.add(PeriodPoint.of(period));
            period.used().uses().forEach(this::use);
        }
        return new Added(phase, tick, another, joined);
    }

    private @Nullable Double targetMsgPerSec() {
        double targetMsgPerSec = ended ? 0 : state.targetMsgPerSec();
        return targetMsgPerSec < Double.POSITIVE_INFINITY ? targetMsgPerSec : null;
    }

    private RunView.Phase phase(RunPhase begun, long atMs) {
        RunView.Phase phase = new RunView.Phase(begun.label(), atMs);
        phases.add(phase);
        forgetFirst(phases, MOST_PHASES);
        return phase;
    }

    private static void forgetFirst(List<?> entries, int most) {
        if (entries.size() > most) {
            entries.remove(0);
        }
    }

    /** Keeps the previous value of a figure that a short period lacks; a process without any figures has ended. */
    private void use(ResourceUse use) {
        Map<String, Double> known = figures.computeIfAbsent(use.name(), name -> new TreeMap<>());
        roles.put(use.name(), use.role().name().toLowerCase(Locale.ROOT));
        if (use.figures().isEmpty()) {
            known.clear();
        }
        use.figures().forEach((figure, value) -> known.put(figure.label(), value.mean()));
    }

    void faults(List<FaultState> now) {
        faults = now.stream().map(Now.FaultNow::of).toList();
    }

    void workers(List<WorkerState> now) {
        workers = List.copyOf(now);
    }

    /** Adds a rate of a search or sweep, or a number of clients, that was tried. */
    RunView.Step step(RunView.Step step) {
        steps.add(step);
        forgetFirst(steps, MOST_STEPS);
        return step;
    }

    /** Sets the result of the run. */
    void end(RunResult result, long atMs) {
        ended = true;
        findings.ended(result.findings(), result.verdict(), atMs);
    }

    Now now() {
        RunPhase phase = state.phase();
        Long leftMs = ended ? null : state.left().map(Duration::toMillis).orElse(null);
        Map<String, Long> errors = state.errors().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_ERRORS)
                .collect(Collectors.toMap(
                        entry -> FindingRow.shortened(entry.getKey()),
                        Map.Entry::getValue,
                        Long::sum,
                        LinkedHashMap::new));
        return new Now(
                ended || phase == null ? "" : phase.label(),
                leftMs,
                findings.verdict(),
                findings.rows(),
                errors,
                faults,
                workerRows());
    }

    private List<Now.Worker> workerRows() {
        RunPeriod last = state.lastPeriod();
        List<PeriodSnapshot.Share> shares =
                last == null ? List.of() : last.seen().shares();
        return IntStream.range(0, workers.size())
                .mapToObj(i -> {
                    PeriodSnapshot.Share share = i < shares.size() ? shares.get(i) : null;
                    return Now.Worker.of(
                            workers.get(i),
                            share == null ? null : share.sendRate(),
                            share == null ? null : share.consumeRate());
                })
                .toList();
    }

    RunHead head() {
        return head;
    }

    Tick lastTick() {
        return ticks.last();
    }

    int lastTickIndex() {
        return ticks.lastIndex();
    }

    PeriodPoint lastPeriod() {
        return periods.last();
    }

    int lastPeriodIndex() {
        return periods.lastIndex();
    }

    List<RunView.Use> uses() {
        return figures.entrySet().stream()
                .map(use -> new RunView.Use(
                        use.getKey(), roles.getOrDefault(use.getKey(), ""), new TreeMap<>(use.getValue())))
                .toList();
    }

    RunView view() {
        return new RunView(
                head, now(), List.copyOf(phases), ticks.points(), periods.points(), uses(), List.copyOf(steps));
    }

    /**
     * The findings about a run so far, and their times. Findings that no longer hold remain, and are marked. Not
     * thread-safe.
     */
    private static final class Findings {

        private final Map<String, FindingRow> rows = new LinkedHashMap<>();
        private @Nullable String verdict;

        /**
         * Replaces the current findings.
         *
         * @param found the findings; null if nothing can be said before the end
         */
        void now(@Nullable List<Finding> found, long atMs) {
            update(found == null ? List.of() : found, atMs);
            verdict = found == null ? null : Verdict.of(found).name();
        }

        /** Sets the findings of a run that has ended. */
        void ended(List<Finding> found, Verdict last, long atMs) {
            update(found, atMs);
            verdict = last.name();
        }

        private void update(List<Finding> found, long atMs) {
            Map<String, Integer> ofKind = new HashMap<>();
            rows.replaceAll((key, row) -> row.gone());
            for (Finding finding : found) {
                // Sentences contain numbers that change, so findings of the same kind are identified by their position.
                String key = finding.kind() + " " + ofKind.merge(finding.kind(), 1, Integer::sum);
                FindingRow before = rows.get(key);
                rows.put(key, FindingRow.of(finding, before == null ? atMs : before.firstMs()));
            }
        }

        /** Returns the name of the verdict that would follow; null if nothing can be said yet. */
        @Nullable
        String verdict() {
            return verdict;
        }

        /** Returns all findings, in the order in which they were first found. */
        List<FindingRow> rows() {
            return List.copyOf(rows.values());
        }
    }
}
