package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Serves the figures of the current run, or of the last one if none is running, at {@code /metrics}. Answers come from
 * what the run's thread last reported, so they cost the sending threads nothing and query no worker. Thread-safe.
 */
public final class MetricsServer implements LiveRuns, AutoCloseable {

    /**
     * The library prints a stack trace to the console when a client disconnects before the answer, or a run ends in
     * the middle of one. This is a field, since otherwise the logger would be garbage-collected along with its
     * setting.
     */
    private static final Logger LIBRARY_LOG = Logger.getLogger("io.prometheus.metrics.exporter.httpserver");

    static {
        LIBRARY_LOG.setUseParentHandlers(false);
    }

    private final AtomicReference<@Nullable RunFigures> current = new AtomicReference<>();
    private final EndedRuns ended = new EndedRuns();
    private final HTTPServer http;
    private volatile boolean running;

    private MetricsServer(InetAddress address, int port) throws IOException {
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register((MultiCollector) this::collect);
        http = HTTPServer.builder()
                .inetAddress(address)
                .port(port)
                .registry(registry)
                .buildAndStart();
    }

    /**
     * Starts serving, on daemon threads.
     *
     * @param port the port; 0 for any free port
     * @throws IOException if the server cannot listen there
     */
    public static MetricsServer start(InetAddress address, int port) throws IOException {
        return new MetricsServer(address, port);
    }

    /** The port that the server listens on. */
    public int port() {
        return http.getPort();
    }

    @Override
    public RunListener begin(RunRequest request) {
        RunFigures figures = new RunFigures(request);
        current.set(figures);
        running = true;
        return figures;
    }

    @Override
    public void ended(RunResult result) {
        RunFigures figures = current.get();
        if (figures != null) {
            figures.end();
        }
        ended.add(result);
        running = false;
    }

    private MetricSnapshots collect() {
        Families families = new Families();
        families.gauge("running", "1 during a run, else 0.", running ? 1 : 0);
        ended.addTo(families);
        RunFigures figures = current.get();
        if (figures != null) {
            figures.addTo(families);
        }
        return families.build();
    }

    @Override
    public void close() {
        http.close();
    }

    /** The number of ended runs by verdict, and the outcome of the last one. Thread-safe. */
    private static final class EndedRuns {

        private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        private @Nullable RunResult last;

        /** Adds a run that has ended. */
        synchronized void add(RunResult result) {
            counts.merge(result.verdict(), 1, Integer::sum);
            last = result;
        }

        /** Adds all figures to an answer. */
        synchronized void addTo(Families families) {
            for (Verdict verdict : Verdict.values()) {
                families.with("verdict", verdict.name())
                        .counter("runs", "Runs that have ended in this process.", counts.getOrDefault(verdict, 0));
            }
            if (last != null) {
                String workload = last.workload().workload().name();
                addLast(
                        families.with(
                                "workload", workload, "driver", last.driver().name()),
                        last);
            }
        }

        private static void addLast(Families families, RunResult result) {
            String help = "Verdict of the last run that has ended: 1 for the one that applies.";
            for (Verdict verdict : Verdict.values()) {
                families.with("verdict", verdict.name())
                        .gauge("last_run_verdict", help, verdict == result.verdict() ? 1 : 0);
            }
            families.findings(
                    "last_run_findings", "The findings of the last run, with their counts.", result.findings());
            AuditReport audit = result.audit();
            if (audit != null) {
                audit.subscriptions().forEach(subscription -> addAudit(families, subscription));
            }
        }

        private static void addAudit(Families families, AuditReport.SubscriptionReport audited) {
            Families ofSubscription = families.with("subscription", Integer.toString(audited.subscription()));
            Map<String, Long> outcomes = Map.of(
                    "expected", audited.expected(),
                    "lost", audited.lost(),
                    "undelivered", audited.undelivered(),
                    "duplicated", audited.duplicated(),
                    "out_of_order", audited.outOfOrder(),
                    "failed_but_received", audited.failedButReceived(),
                    "unexpected", audited.unexpected());
            String help = "Outcome of the messages of the last run.";
            outcomes.forEach((outcome, count) ->
                    ofSubscription.with("outcome", outcome).gauge("last_run_audit_messages", help, count));
        }
    }
}
