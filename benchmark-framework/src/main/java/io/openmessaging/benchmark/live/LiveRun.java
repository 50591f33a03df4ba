package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.live.News.Part;
import io.openmessaging.benchmark.live.Row.FindingRow;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@link LiveRuns}, bounded however long it takes. Written by the run's thread, read by those that serve,
 * under the lock of {@link LiveRuns}.
 */
final class LiveRun implements RunListener {

    /** Neighbours are joined after ten minutes, at one reading per second. */
    static final int MOST_TICKS = 600;

    /** Neighbours are joined after 40 minutes, at periods of 10 s. */
    static final int MOST_PERIODS = 240;

    private static final int MOST_PHASES = 200;
    private static final int MOST_STEPS = 200;

    /** Closer readings would compute rates from a few messages over a few milliseconds. */
    private static final long SHORTEST_TICK_MS = 500;

    final News.Head head;

    /** The version of the harness. */
    final String version;

    final LoadProgress load;

    final History<Tick> ticks;
    final History<PeriodPoint> periods;
    final History<News.Phase> phases;
    final History<News.Step> steps;

    /** The latencies since the start. */
    final Map<Latency, MetricBuckets> latencies = new EnumMap<>(Latency.class);

    /** The last known use of each process and machine. */
    final Map<String, ResourceUse> resources = new LinkedHashMap<>();

    /** Counts of warm-up and measurement, in the order of the workers; empty if this process is the only one. */
    final List<Totals> workerCounts = new ArrayList<>();

    /** The findings so far by kind and place, in the order in which they were first found. */
    final Map<String, FindingRow> findings = new LinkedHashMap<>();

    /** The verdict that would follow from the findings; null if nothing can be said before the end. */
    @Nullable
    Verdict verdict;

    RunState state = RunState.NONE;
    List<FaultState> faults = List.of();
    List<WorkerState> workers = List.of();
    boolean ended;

    private final LiveRuns runs;

    LiveRun(LiveRuns runs, RunRequest request) {
        this.runs = runs;
        this.head = News.Head.of(request, runs.nowMs());
        this.version = request.conditions().environment().benchmarkVersion();
        this.load = new LoadProgress(request.workload().workload());
        this.ticks = new History<>(MOST_TICKS, Tick::followedBy, runs::version);
        this.periods = new History<>(MOST_PERIODS, PeriodPoint::followedBy, runs::version);
        this.phases = new History<>(MOST_PHASES, null, runs::version);
        this.steps = new History<>(MOST_STEPS, null, runs::version);
    }

    void begin() {
        ticks.add(new Tick(head.beginMs(), new TickCounts(0, 0, 0, 0), 0, 0, 0.0));
    }

    void end(RunResult result) {
        ended = true;
        found(result.findings());
        verdict = result.verdict();
    }

    @Override
    public void state(RunState now) {
        runs.change(() -> {
            RunState before = state;
            state = now;
            found(now.findings() == null ? List.of() : now.findings());
            verdict = now.findings() == null ? null : Verdict.of(now.findings());
            long atMs = runs.nowMs();
            load.state(now, atMs);
            if (now.phase() != null && now.phase() != before.phase()) {
                phases.add(new News.Phase(now.phase().label(), atMs));
            }
            Totals totals = now.totals();
            // Only new counts, not the last counts reported again along with something else.
            if (totals != null
                    && totals != before.totals()
                    && atMs - ticks.last().atMs() >= SHORTEST_TICK_MS) {
                ticks.add(Tick.of(atMs, totals, targetMsgPerSec()));
            }
            if (now.lastPeriod() != null && now.lastPeriod() != before.lastPeriod()) {
                period(now.lastPeriod());
            }
        });
    }

    /** Returns the rate that is to be sent; null for as much as the client takes. */
    @Nullable
    Double targetMsgPerSec() {
        double targetMsgPerSec = ended ? 0 : state.targetMsgPerSec();
        return targetMsgPerSec < Double.POSITIVE_INFINITY ? targetMsgPerSec : null;
    }

    /** Marks the earlier findings that no longer hold, and adds new ones. */
    private void found(List<Finding> found) {
        Map<String, Integer> ofKind = new HashMap<>();
        findings.replaceAll((key, row) -> row.gone());
        for (Finding finding : found) {
            // Sentences contain numbers that change, so findings of the same kind are identified by their position.
            String key = finding.kind() + " " + ofKind.merge(finding.kind(), 1, Integer::sum);
            FindingRow before = findings.get(key);
            findings.put(key, FindingRow.of(finding, before == null ? runs.nowMs() : before.firstMs()));
        }
    }

    private void period(RunPeriod period) {
        PeriodSnapshot seen = period.seen();
        periods.add(PeriodPoint.of(period));
        for (Latency latency : Latency.values()) {
            LatencySnapshot snapshot = seen.latency(latency);
            if (snapshot.count() > 0) {
                latencies.computeIfAbsent(latency, l -> new MetricBuckets()).add(snapshot);
            }
        }
        for (int i = 0; i < seen.shares().size(); i++) {
            Totals more = seen.shares().get(i).counts();
            if (i == workerCounts.size()) {
                workerCounts.add(more);
            } else {
                workerCounts.set(i, workerCounts.get(i).plus(more));
            }
        }
        period.used().uses().forEach(this::use);
    }

    /** Keeps the previous value of a figure that a short period lacks; a process without any figures has ended. */
    private void use(ResourceUse use) {
        EnumMap<Figure, FigureUse> known = new EnumMap<>(Figure.class);
        ResourceUse before = resources.get(use.name());
        if (before != null && !use.figures().isEmpty()) {
            known.putAll(before.figures());
        }
        known.putAll(use.figures());
        resources.put(use.name(), new ResourceUse(use.name(), use.role(), known));
    }

    @Override
    public void workers(List<WorkerState> now) {
        runs.change(() -> workers = List.copyOf(now));
    }

    @Override
    public void faults(List<FaultState> now) {
        runs.change(() -> faults = List.copyOf(now));
    }

    @Override
    public void searchStep(RunResult.SearchStep step) {
        step("", step.targetMsgPerSec(), step.achievedMsgPerSec(), step.breach());
    }

    @Override
    public void loadStep(RunResult.LoadStep step) {
        Double targetMsgPerSec = step.targetMsgPerSec();
        String clients = Quantities.counted(step.producers(), "producer") + ", "
                + Quantities.counted(step.consumers(), "consumer");
        step(
                targetMsgPerSec == null ? clients : "",
                targetMsgPerSec,
                step.seen().publishRate(),
                step.breach());
    }

    private void step(
            String what,
            @Nullable Double targetMsgPerSec,
            double achievedMsgPerSec,
            RunResult.@Nullable Breach breach) {
        String problem = breach == null ? "" : News.shortened(breach.text());
        runs.change(() -> steps.add(new News.Step(what, targetMsgPerSec, achievedMsgPerSec, problem)));
    }

    /**
     * A reading of the counts. Counts only grow within a run, so a rate is the difference of two readings over the time
     * between them, whichever readings are left out.
     *
     * @param atMs time, epoch milliseconds
     * @param counts messages since the start of the run
     * @param backlog messages that the slowest subscription had yet to receive; the maximum since the previous reading
     * @param inFlight messages neither confirmed nor refused; the maximum since the previous reading
     * @param targetMsgPerSec target rate; null for as fast as the client takes messages
     */
    record Tick(
            long atMs,
            TickCounts counts,
            long backlog,
            long inFlight,
            @Nullable Double targetMsgPerSec) {

        static Tick of(long atMs, Totals totals, @Nullable Double targetMsgPerSec) {
            return new Tick(
                    atMs,
                    new TickCounts(totals.sent(), totals.acknowledged(), totals.receivedByAll(), totals.failed()),
                    totals.largestBacklog(),
                    totals.inFlight(),
                    targetMsgPerSec);
        }

        /** Returns the later reading, with the higher levels of both. */
        Tick followedBy(Tick next) {
            return new Tick(
                    next.atMs,
                    next.counts,
                    Math.max(backlog, next.backlog),
                    Math.max(inFlight, next.inFlight),
                    next.targetMsgPerSec);
        }
    }

    /**
     * Messages since the start of the run.
     *
     * @param sent messages handed to the client
     * @param acknowledged messages confirmed by the system
     * @param received arrivals at all subscriptions together
     * @param failed messages refused or given up
     */
    record TickCounts(long sent, long acknowledged, long received, long failed) {}

    /**
     * A limited number of points over time, each with the version in which it was added or changed. When there is no
     * room for another point, neighbours are joined, and from then on each point represents twice as many added points;
     * or, without a way to join points, the first one is forgotten. Then all points count as changed.
     *
     * @param <P> a point; immutable
     */
    static final class History<P> {

        private record Entry<P>(long version, P point) {}

        private final int most;
        private final @Nullable BinaryOperator<P> join;
        private final LongSupplier version;
        private final List<Entry<P>> entries = new ArrayList<>();

        /** The number of added points that each point represents. */
        private int perPoint = 1;

        private int inLast;

        /**
         * Creates an empty history.
         *
         * @param most maximum number of points; even
         * @param join joins two consecutive points into one; null to forget the first points
         * @param version current version
         */
        History(int most, @Nullable BinaryOperator<P> join, LongSupplier version) {
            if (most < 2 || most % 2 != 0) {
                throw new IllegalArgumentException("A history of " + most + " points cannot be halved");
            }
            this.most = most;
            this.join = join;
            this.version = version;
        }

        /** Adds a point after all others, either by changing the last point or by adding one after it. */
        void add(P point) {
            if (join != null && !entries.isEmpty() && inLast < perPoint) {
                P joined = join.apply(last(), point);
                entries.set(entries.size() - 1, new Entry<>(version.getAsLong(), joined));
                inLast++;
                return;
            }
            if (entries.size() == most) {
                makeRoom();
            }
            entries.add(new Entry<>(version.getAsLong(), point));
            inLast = 1;
        }

        /** The last point is full as well, so all points represent the same number of added points. */
        private void makeRoom() {
            List<P> kept = new ArrayList<>(most);
            for (int i = join == null ? 1 : 0; i < most; i += join == null ? 1 : 2) {
                P point = entries.get(i).point();
                kept.add(
                        join == null
                                ? point
                                : join.apply(point, entries.get(i + 1).point()));
            }
            perPoint *= join == null ? 1 : 2;
            entries.clear();
            kept.forEach(point -> entries.add(new Entry<>(version.getAsLong(), point)));
        }

        /** Returns the points that were added or changed after a version. */
        Part<P> since(long known) {
            int from = entries.size();
            while (from > 0 && entries.get(from - 1).version() > known) {
                from--;
            }
            List<Entry<P>> changed = entries.subList(from, entries.size());
            return new Part<>(from, changed.stream().map(Entry::point).toList());
        }

        /** Returns the point that was added or changed last. There must be one. */
        P last() {
            return entries.get(entries.size() - 1).point();
        }
    }
}
