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
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of one run: told what is known of it by its thread, read by those that serve. */
final class RunFigures {

    private static final double NS_PER_SECOND = 1e9;

    private final Labels labels;
    private final String runId;
    private final String version;
    private final String client;
    private final Map<Latency, LatencyBuckets> latencies = new EnumMap<>(Latency.class);
    private final Map<String, ResourceUse> resources = new LinkedHashMap<>();
    private RunState state = RunState.NONE;
    private boolean ended;

    RunFigures(RunRequest request) {
        this.labels = labelsOf(
                request.workload().workload().name(), request.system().shown().name());
        this.runId = request.runId();
        this.version = request.machine().environment().benchmarkVersion();
        this.client = request.system().shown().clientVersion();
    }

    /** What tells the figures of a run from those of another. */
    static Labels labelsOf(String workload, String driver) {
        return Labels.of("workload", workload, "driver", driver);
    }

    /** What is known of the run now. */
    synchronized void state(RunState now) {
        RunPeriod period = now.lastPeriod();
        if (period != null && period != state.lastPeriod()) {
            for (Latency latency : Latency.values()) {
                latencies
                        .computeIfAbsent(latency, l -> new LatencyBuckets())
                        .add(period.seen().latency(latency));
            }
            period.used().uses().forEach(this::use);
        }
        state = now;
    }

    /** Short periods may lack a figure, which is then as it was; a process without any has ended. */
    private void use(ResourceUse use) {
        EnumMap<Figure, FigureUse> known = new EnumMap<>(Figure.class);
        ResourceUse before = resources.get(use.name());
        if (before != null && !use.figures().isEmpty()) {
            known.putAll(before.figures());
        }
        known.putAll(use.figures());
        resources.put(use.name(), new ResourceUse(use.name(), use.role(), known));
    }

    /** The run has ended: nothing is sent any more, what has been counted stays. */
    synchronized void end() {
        ended = true;
    }

    /** Adds everything to an answer. */
    synchronized void addTo(Families families) {
        families.info(
                "run",
                "The run that goes on, or else the last one.",
                labels.merge(Labels.of("run_id", runId, "client", client, "version", version)));
        addPhase(families);
        addCounts(families);
        addPeriod(families);
        latencies.forEach((latency, buckets) -> families.histogram(
                "latency_seconds",
                "Latencies of warm-up and measurement; added at the end of each period.",
                with("latency", name(latency)),
                buckets));
        for (ResourceUse use : resources.values()) {
            addUse(families, use);
        }
        List<Finding> findings = state.findings();
        if (!ended && findings != null) {
            addFindings(families, findings);
        }
    }

    private void addPhase(Families families) {
        for (RunPhase each : RunPhase.values()) {
            families.gauge(
                    "phase",
                    "What the run is doing: 1 for one of them.",
                    with("phase", each.label()),
                    !ended && each == state.phase() ? 1 : 0);
        }
        state.left()
                .filter(duration -> !ended)
                .ifPresent(duration -> families.gauge(
                        "phase_left_seconds",
                        "Time until the end of the phase, where that is known.",
                        labels,
                        duration.toNanos() / NS_PER_SECOND));
        double targetMsgPerSec = ended ? 0 : state.targetMsgPerSec();
        if (targetMsgPerSec < Double.POSITIVE_INFINITY) {
            families.gauge(
                    "target_rate",
                    "Messages a second that are to be sent; missing where the client is to take what it can.",
                    labels,
                    targetMsgPerSec);
        }
    }

    private void addCounts(Families families) {
        state.errors()
                .forEach((kind, count) ->
                        families.counter("errors", "Errors of sends and of the client.", with("kind", kind), count));
        Totals now = state.totals();
        if (now == null) {
            return;
        }
        families.counter("messages_sent", "Messages handed to the client.", labels, now.sent());
        families.counter("messages_acknowledged", "Messages confirmed by the system.", labels, now.acknowledged());
        families.counter("messages_failed", "Messages refused or given up.", labels, now.failed());
        families.counter(
                "messages_unknown",
                "Arrivals of what this run did not send, or that was damaged.",
                labels,
                now.unknown());
        for (int i = 0; i < now.received().size(); i++) {
            families.counter(
                    "messages_received",
                    "Arrivals at each subscription; a message that comes twice counts twice.",
                    with("subscription", Integer.toString(i)),
                    now.received().get(i));
        }
        families.gauge(
                "messages_in_flight", "Messages sent, but neither confirmed nor refused yet.", labels, now.inFlight());
        families.gauge(
                "backlog_messages",
                "Messages sent, but not yet arrived, over all subscriptions.",
                labels,
                now.backlog());
        families.gauge(
                "largest_backlog_messages",
                "Messages that the slowest subscription still has to get.",
                labels,
                Math.max(0, now.largestBacklog()));
    }

    private void addPeriod(Families families) {
        RunPeriod last = state.lastPeriod();
        if (last == null) {
            return;
        }
        PeriodSnapshot period = last.seen();
        Totals counts = period.counts();
        addRate(families, period, "sent", counts.sent());
        addRate(families, period, "acknowledged", counts.acknowledged());
        addRate(families, period, "failed", counts.failed());
        addRate(families, period, "received", counts.receivedByAll());
        for (Latency latency : Latency.values()) {
            LatencySnapshot snapshot = period.latency(latency);
            if (snapshot.count() > 0) {
                addPercentiles(families, latency, snapshot.summary());
            }
        }
    }

    private void addRate(Families families, PeriodSnapshot period, String of, long count) {
        double seconds = period.secondsOfEach();
        families.gauge(
                "period_rate",
                "Messages a second in the last period.",
                with("of", of),
                seconds > 0 ? count / seconds : 0);
    }

    private void addPercentiles(Families families, Latency latency, LatencySummary summary) {
        String help = "Latencies of the last period, to three digits.";
        Labels ofLatency = with("latency", name(latency));
        summary.percentileNs()
                .forEach((percentile, valueNs) -> families.gauge(
                        "period_latency_seconds",
                        help,
                        ofLatency.merge(Labels.of("percentile", percentileName(percentile))),
                        valueNs / NS_PER_SECOND));
        families.gauge(
                "period_latency_seconds",
                help,
                ofLatency.merge(Labels.of("percentile", "100")),
                summary.maxNs() / NS_PER_SECOND);
    }

    /** 99, not 99.0. */
    private static String percentileName(double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : Double.toString(percentile);
    }

    private void addUse(Families families, ResourceUse use) {
        Labels ofUse = labels.merge(Labels.of("role", use.role().name().toLowerCase(Locale.ROOT), "name", use.name()));
        use.figures().forEach((figure, value) -> {
            String name = "resource_" + snakeCase(figure.label());
            String help = "Use of resources in the last period: " + figure.label() + ".";
            families.gauge(name, help, ofUse.merge(Labels.of("stat", "mean")), value.mean());
            families.gauge(name, help, ofUse.merge(Labels.of("stat", "max")), value.max());
        });
    }

    private static String snakeCase(String camelCase) {
        return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private void addFindings(Families families, List<Finding> soFar) {
        for (Verdict verdict : List.of(Verdict.OK, Verdict.INVALID, Verdict.SLO_MISSED)) {
            families.gauge(
                    "verdict_so_far",
                    "What the verdict would be by what is known so far: 1 for one of them.",
                    with("verdict", verdict.name()),
                    verdict == Verdict.of(soFar) ? 1 : 0);
        }
        Findings.add(families, "findings_so_far", "What was found so far, with how often.", labels, soFar);
    }

    private Labels with(String name, String value) {
        return labels.merge(Labels.of(name, value));
    }

    private static String name(Latency latency) {
        return latency.name().toLowerCase(Locale.ROOT);
    }
}
