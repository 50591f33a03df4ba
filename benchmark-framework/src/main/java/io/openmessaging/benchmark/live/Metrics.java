package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats the runs for Prometheus. Called by the threads that serve. */
final class Metrics {

    private Metrics() {}

    /** Returns the figures of the current run, or of the last one if none is running, and the outcomes. */
    static MetricSnapshots of(LiveRuns runs) {
        Families all = new Families();
        synchronized (runs) {
            LiveRun run = runs.run;
            all.gauge("running", "1 during a run, else 0.", run == null || run.ended ? 0 : 1);
            for (Verdict verdict : Verdict.values()) {
                all.with("verdict", verdict.name())
                        .counter("runs", "Runs that have ended in this process.", runs.ended.getOrDefault(verdict, 0));
            }
            if (runs.lastEnded != null) {
                addEnded(all, runs.lastEnded);
            }
            if (run != null) {
                addRun(all, run);
            }
        }
        return all.build();
    }

    private static void addEnded(Families all, RunResult result) {
        Families families = all.with(
                "workload",
                result.workload().workload().name(),
                "driver",
                result.driver().name());
        String help = "Verdict of the last run that has ended: 1 for the one that applies.";
        addVerdict(families, "last_run_verdict", help, result.verdict(), Verdict.values());
        addFindings(
                families, "last_run_findings", "The findings of the last run, with their counts.", result.findings());
        AuditReport audit = result.audit();
        if (audit != null) {
            audit.subscriptions().forEach(subscription -> addAudit(families, subscription));
        }
    }

    private static void addVerdict(Families families, String name, String help, Verdict found, Verdict... possible) {
        for (Verdict verdict : possible) {
            families.with("verdict", verdict.name()).gauge(name, help, verdict == found ? 1 : 0);
        }
    }

    /** Adds the number of findings of each kind; their sentences contain numbers that change. */
    private static void addFindings(Families families, String name, String help, List<Finding> findings) {
        findings.stream()
                .map(finding ->
                        List.of(finding.kind(), finding.severity().name().toLowerCase(Locale.ROOT)))
                .collect(Collectors.groupingBy(kind -> kind, Collectors.counting()))
                .forEach((kind, count) -> families.with("kind", kind.get(0), "severity", kind.get(1))
                        .gauge(name, help, count));
    }

    private static void addAudit(Families families, AuditReport.SubscriptionReport audited) {
        Families ofSubscription = families.with("subscription", Integer.toString(audited.subscription()));
        Map<String, Long> outcomes = new TreeMap<>(Map.of(
                "expected", audited.expected(),
                "lost", audited.lost(),
                "undelivered", audited.undelivered(),
                "duplicated", audited.duplicated(),
                "failed_but_received", audited.failedButReceived(),
                "unexpected", audited.unexpected()));
        if (audited.outOfOrder() != null) {
            outcomes.put("out_of_order", audited.outOfOrder());
        }
        String help = "Outcome of the messages of the last run.";
        outcomes.forEach((outcome, count) ->
                ofSubscription.with("outcome", outcome).gauge("last_run_audit_messages", help, count));
    }

    private static void addRun(Families all, LiveRun run) {
        RunState state = run.state;
        Families families = all.with("workload", run.head.workload(), "driver", run.head.driver());
        families.with("run_id", run.head.runId(), "client", run.head.client(), "version", run.version)
                .info("run", "The current run, or the last one if none is in progress.");
        addPhase(families, run);
        state.errors()
                .forEach((kind, count) ->
                        families.with("kind", kind).counter("errors", "Errors of sends and of the client.", count));
        if (state.totals() != null) {
            addCounts(families, state.totals());
        }
        if (state.lastPeriod() != null) {
            addPeriod(families, state.lastPeriod().seen());
        }
        String help = "Latencies of warm-up and measurement; added at the end of each period.";
        run.latencies.forEach((latency, buckets) -> of(families, latency).histogram("latency_seconds", help, buckets));
        run.resources.values().forEach(use -> addUse(families, use));
        addWorkers(families, run);
        if (!run.ended && run.verdict != null && state.findings() != null) {
            String soFar = "The verdict so far: 1 for the one that applies.";
            addVerdict(families, "verdict_so_far", soFar, run.verdict, Verdict.OK, Verdict.INVALID, Verdict.SLO_MISSED);
            addFindings(families, "findings_so_far", "The findings so far, with their counts.", state.findings());
        }
    }

    private static Families of(Families families, Latency latency) {
        return families.with("latency", latency.name().toLowerCase(Locale.ROOT));
    }

    private static void addPhase(Families families, LiveRun run) {
        String ofPhase = "The phase of the run: 1 for the current one.";
        for (RunPhase each : RunPhase.values()) {
            families.with("phase", each.label())
                    .gauge("phase", ofPhase, !run.ended && each == run.state.phase() ? 1 : 0);
        }
        String help = "Time until the end of the phase, if known.";
        // In a search, it is that of a part of a try.
        run.state
                .left()
                .filter(duration -> !run.ended && run.state.phase() != RunPhase.SEARCH)
                .ifPresent(duration -> families.gauge("phase_left_seconds", help, duration.toNanos() / 1e9));
        Double targetMsgPerSec = run.targetMsgPerSec();
        if (targetMsgPerSec != null) {
            families.gauge(
                    "target_rate", "Messages a second to be sent; absent if the rate is unlimited.", targetMsgPerSec);
        }
    }

    private static void addCounts(Families families, Totals now) {
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

    private static void addPeriod(Families families, PeriodSnapshot period) {
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
                .gauge("period_latency_seconds", help, valueNs / 1e9));
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

    /** Adds the figures by worker. Of a run that has ended, only counts and rates are still known. */
    private static void addWorkers(Families all, LiveRun run) {
        RunPeriod last = run.state.lastPeriod();
        List<PeriodSnapshot.Share> shares =
                last == null ? List.of() : last.seen().shares();
        for (int i = 0; i < run.workers.size(); i++) {
            Families families = all.with("worker", run.workers.get(i).name());
            if (!run.ended) {
                addWorkerState(families, run.workers.get(i));
            }
            if (i < run.workerCounts.size()) {
                addWorkerCounts(families, run.workerCounts.get(i));
            }
            if (i < shares.size()) {
                PeriodSnapshot.Share share = shares.get(i);
                String help = "Messages a second of the worker in the last period.";
                families.with("of", "sent").gauge("worker_period_rate", help, share.sendRate());
                families.with("of", "acknowledged").gauge("worker_period_rate", help, share.publishRate());
                families.with("of", "received").gauge("worker_period_rate", help, share.consumeRate());
            }
        }
    }

    private static void addWorkerState(Families families, WorkerState worker) {
        families.gauge(
                "worker_up",
                "1 while the worker responds, 0 while it does not and once it is lost.",
                worker.isUp() ? 1 : 0);
        families.gauge(
                "worker_round_trip_seconds",
                "Round-trip time of a request to the worker, median of the latest.",
                worker.roundTripNs() / 1e9);
        worker.clock().ifPresent(clock -> {
            families.gauge(
                    "worker_clock_offset_seconds",
                    "How far the worker's clock is ahead of the coordinator's; latencies are corrected by it.",
                    clock.aheadNs() / 1e9);
            families.gauge(
                    "worker_clock_bound_seconds",
                    "The largest possible error of the clock's offset.",
                    clock.boundNs() / 1e9);
        });
    }

    private static void addWorkerCounts(Families families, Totals counted) {
        String added = "; added at the end of each period.";
        families.counter(
                "worker_messages_sent", "Messages that the worker handed to the client" + added, counted.sent());
        families.counter(
                "worker_messages_acknowledged",
                "Messages of the worker that the system confirmed" + added,
                counted.acknowledged());
        families.counter(
                "worker_messages_received",
                "Arrivals at the worker, over all subscriptions" + added,
                counted.receivedByAll());
    }
}
