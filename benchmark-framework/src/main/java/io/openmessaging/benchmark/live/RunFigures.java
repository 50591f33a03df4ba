package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LatencySummary;
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
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The figures of one run: updated by the run's thread, read by threads that serve them. */
final class RunFigures implements RunListener {

    private static final double NS_PER_SECOND = 1e9;

    private final String runId;
    private final String workload;
    private final RunResult.Driver driver;
    private final String version;
    private final Map<Latency, MetricBuckets> latencies = new EnumMap<>(Latency.class);
    private final Map<String, ResourceUse> resources = new LinkedHashMap<>();
    private final WorkerFigures workers = new WorkerFigures();
    private RunState state = RunState.NONE;
    private boolean ended;

    RunFigures(RunRequest request) {
        this.runId = request.runId();
        this.workload = request.workload().workload().name();
        this.driver = request.system().shown();
        this.version = request.conditions().environment().benchmarkVersion();
    }

    @Override
    public synchronized void state(RunState now) {
        RunPeriod period = now.lastPeriod();
        if (period != null && period != state.lastPeriod()) {
            for (Latency latency : Latency.values()) {
                LatencySnapshot seen = period.seen().latency(latency);
                if (seen.count() > 0) {
                    latencies.computeIfAbsent(latency, l -> new MetricBuckets()).add(seen);
                }
            }
            period.used().uses().forEach(this::use);
            workers.period(period.seen());
        }
        state = now;
    }

    @Override
    public synchronized void workers(List<WorkerState> now) {
        workers.state(now);
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

    /** Marks the run as ended: no more messages are sent, and the counts remain. */
    synchronized void end() {
        ended = true;
    }

    /** Adds all figures to an answer. */
    synchronized void addTo(Families all) {
        Families families = all.with("workload", workload, "driver", driver.name());
        families.with("run_id", runId, "client", driver.clientVersion(), "version", version)
                .info("run", "The current run, or the last one if none is in progress.");
        addPhase(families);
        addCounts(families);
        addPeriod(families);
        String help = "Latencies of warm-up and measurement; added at the end of each period.";
        latencies.forEach((latency, buckets) -> of(families, latency).histogram("latency_seconds", help, buckets));
        resources.values().forEach(use -> addUse(families, use));
        workers.addTo(families, ended);
        List<Finding> findings = state.findings();
        if (!ended && findings != null) {
            addFindings(families, findings);
        }
    }

    private static Families of(Families families, Latency latency) {
        return families.with("latency", latency.name().toLowerCase(Locale.ROOT));
    }

    private void addPhase(Families families) {
        for (RunPhase each : RunPhase.values()) {
            families.with("phase", each.label())
                    .gauge(
                            "phase",
                            "The phase of the run: 1 for the current one.",
                            !ended && each == state.phase() ? 1 : 0);
        }
        String help = "Time until the end of the phase, if known.";
        state.left()
                .filter(duration -> !ended)
                .ifPresent(duration -> families.gauge("phase_left_seconds", help, duration.toNanos() / NS_PER_SECOND));
        double targetMsgPerSec = ended ? 0 : state.targetMsgPerSec();
        if (targetMsgPerSec < Double.POSITIVE_INFINITY) {
            families.gauge(
                    "target_rate", "Messages a second to be sent; absent if the rate is unlimited.", targetMsgPerSec);
        }
    }

    private void addCounts(Families families) {
        state.errors()
                .forEach((kind, count) ->
                        families.with("kind", kind).counter("errors", "Errors of sends and of the client.", count));
        Totals now = state.totals();
        if (now == null) {
            return;
        }
        families.counter("messages_sent", "Messages handed to the client.", now.sent());
        families.counter("messages_acknowledged", "Messages confirmed by the system.", now.acknowledged());
        families.counter("messages_failed", "Messages refused or given up.", now.failed());
        families.counter(
                "messages_unknown", "Arrivals that this run did not send, or that were damaged.", now.unknown());
        String received = "Arrivals at each subscription; a message that arrives twice counts twice.";
        for (int i = 0; i < now.received().size(); i++) {
            families.with("subscription", Integer.toString(i))
                    .counter("messages_received", received, now.received().get(i));
        }
        families.gauge("messages_in_flight", "Messages sent, but neither confirmed nor refused yet.", now.inFlight());
        families.gauge(
                "backlog_messages", "Messages sent, but not yet arrived, over all subscriptions.", now.backlog());
        families.gauge(
                "largest_backlog_messages",
                "Messages that the slowest subscription has not received yet.",
                now.largestBacklog());
    }

    private void addPeriod(Families families) {
        RunPeriod last = state.lastPeriod();
        if (last == null) {
            return;
        }
        PeriodSnapshot period = last.seen();
        Totals counts = period.counts();
        Map<String, Long> byOutcome = Map.of(
                "sent", counts.sent(),
                "acknowledged", counts.acknowledged(),
                "failed", counts.failed(),
                "received", counts.receivedByAll());
        double seconds = period.secondsOfEach();
        byOutcome.forEach((outcome, count) -> families.with("of", outcome)
                .gauge("period_rate", "Messages a second in the last period.", seconds > 0 ? count / seconds : 0));
        for (Latency latency : Latency.values()) {
            LatencySnapshot snapshot = period.latency(latency);
            if (snapshot.count() > 0) {
                addPercentiles(of(families, latency), snapshot.summary());
            }
        }
    }

    private static void addPercentiles(Families families, LatencySummary summary) {
        SortedMap<Double, Long> valuesNs = new TreeMap<>(summary.percentileNs());
        valuesNs.put(100.0, summary.maxNs());
        String help = "Latencies of the last period, to three digits.";
        valuesNs.forEach((percentile, valueNs) -> families.with("percentile", Quantities.decimalText(percentile))
                .gauge("period_latency_seconds", help, valueNs / NS_PER_SECOND));
    }

    private static void addUse(Families families, ResourceUse use) {
        Families ofUse = families.with("role", use.role().name().toLowerCase(Locale.ROOT), "name", use.name());
        use.figures().forEach((figure, value) -> {
            String name = "resource_" + snakeCase(figure.label());
            String help = "Use of resources in the last period: " + figure.label() + ".";
            ofUse.with("stat", "mean").gauge(name, help, value.mean());
            ofUse.with("stat", "max").gauge(name, help, value.max());
        });
    }

    private static String snakeCase(String camelCase) {
        return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private static void addFindings(Families families, List<Finding> soFar) {
        String help = "The verdict so far: 1 for the one that applies.";
        for (Verdict verdict : List.of(Verdict.OK, Verdict.INVALID, Verdict.SLO_MISSED)) {
            families.with("verdict", verdict.name())
                    .gauge("verdict_so_far", help, verdict == Verdict.of(soFar) ? 1 : 0);
        }
        families.findings("findings_so_far", "The findings so far, with their counts.", soFar);
    }
}
