package io.openmessaging.benchmark.live;

import static io.openmessaging.benchmark.live.LiveFixture.period;
import static io.openmessaging.benchmark.live.LiveFixture.request;
import static io.openmessaging.benchmark.live.LiveFixture.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.WorkerState;
import io.openmessaging.benchmark.suite.Patience;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics that are requested over HTTP as Prometheus does. */
class MetricsServerTest {

    private static final String RUN = "{driver=\"fake\",workload=\"load\"}";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final LiveRuns runs = new LiveRuns(() -> 1_800_000_000_000L);

    @SuppressWarnings("NullAway.Init") // set before each test
    private MetricsServer server;

    @BeforeEach
    void start() throws Exception {
        server = new MetricsServer(runs, InetAddress.getLoopbackAddress(), 0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private List<String> served() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                .timeout(Patience.LIMIT)
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body().lines().filter(line -> !line.startsWith("#")).toList();
    }

    /** A line with these labels and those of the run. */
    private static String of(String name, String labels, String value) {
        String all = labels.isEmpty() ? RUN : "{driver=\"fake\"," + labels + ",workload=\"load\"}";
        return "benchmark_" + name + all + " " + value;
    }

    /** The state of a run that measures 1,000 messages a second. */
    private static RunState measuring(
            @Nullable Totals totals, @Nullable RunPeriod lastPeriod, @Nullable List<Finding> findings) {
        return new RunState(RunPhase.MEASURE, Optional.empty(), 1000, totals, lastPeriod, Map.of(), findings);
    }

    private static RunState measured(PeriodSnapshot period, ResourceUse use) {
        return measuring(period.totals(), new RunPeriod(period, new ResourcePeriod(List.of(use))), List.of());
    }

    @Test
    void whoLeavesBeforeTheAnswerIsNoErrorOnTheConsole() throws Exception {
        Queue<String> printed = new ConcurrentLinkedQueue<>();
        Handler console = new ConsoleHandler() {
            @Override
            public void publish(LogRecord line) {
                printed.add(line.getLoggerName());
            }
        };
        Logger root = Logger.getLogger("");
        root.addHandler(console);
        try {
            for (int i = 0; i < 20; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                    // Resets the connection, so that the server cannot send its answer.
                    socket.setSoLinger(true, 0);
                    socket.getOutputStream()
                            .write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                }
                // A later request is still answered: only few requests may wait in the queue.
                assertThat(served()).isNotEmpty();
            }
            server.close();
        } finally {
            root.removeHandler(console);
        }
        assertThat(printed).isEmpty();
    }

    @Test
    void beforeTheFirstRunNothingRuns() throws Exception {
        assertThat(served()).contains("benchmark_running 0.0", "benchmark_runs_total{verdict=\"OK\"} 0.0");
    }

    @Test
    void inASearchTheEndOfThePhaseIsUnknown() throws Exception {
        RunListener run = runs.begin(request(folder));
        run.state(new RunState(
                RunPhase.SEARCH, Optional.of(Duration.ofSeconds(2)), 1000, null, null, Map.of(), List.of()));

        assertThat(served())
                .contains(of("phase", "phase=\"search\"", "1.0"))
                .noneMatch(line -> line.startsWith("benchmark_phase_left_seconds"));
    }

    @Test
    void aRunIsServedAsFarAsItHasCome() throws Exception {
        RunListener run = runs.begin(request(folder));
        run.state(new RunState(
                RunPhase.WARM_UP,
                Optional.of(Duration.ofSeconds(4)),
                1000,
                new Totals(500, 400, 3, List.of(350L, 300L), 1),
                null,
                Map.of("send: Refused: \"no\"", 3L),
                List.of()));

        assertThat(served())
                .contains("benchmark_running 1.0")
                .contains("benchmark_run_info{client=\"fake-client 1\",driver=\"fake\",run_id=\"run1\",version=\"1.2\""
                        + ",workload=\"load\"} 1")
                .contains(of("phase", "phase=\"warm-up\"", "1.0"), of("phase", "phase=\"measure\"", "0.0"))
                .contains(of("phase_left_seconds", "", "4.0"), of("target_rate", "", "1000.0"))
                .contains(of("messages_sent_total", "", "500.0"), of("messages_acknowledged_total", "", "400.0"))
                .contains(of("messages_failed_total", "", "3.0"), of("messages_unknown_total", "", "1.0"))
                .contains(of("messages_received_total", "subscription=\"0\"", "350.0"))
                .contains(of("messages_received_total", "subscription=\"1\"", "300.0"))
                .contains(of("messages_in_flight", "", "97.0"), of("backlog_messages", "", "344.0"))
                .contains(of("largest_backlog_messages", "", "197.0"))
                .contains(of("errors_total", "kind=\"send: Refused: \\\"no\\\"\"", "3.0"))
                .contains(of("verdict_so_far", "verdict=\"OK\"", "1.0"))
                .noneMatch(line -> line.startsWith("benchmark_latency_seconds"))
                .noneMatch(line -> line.startsWith("benchmark_last_run"));
    }

    @Test
    void periodsAddRatesLatenciesAndResources() throws Exception {
        RunListener run = runs.begin(request(folder));
        Totals ten = new Totals(100, 100, 0, List.of(100L, 90L), 0);
        ResourceUse use = new ResourceUse(
                "kafka-1",
                Role.BROKER,
                Map.of(
                        Figure.CPU_CORE_PERCENT, new FigureUse(10, 500, 70),
                        Figure.LOAD_1_MIN, new FigureUse(10, 20, 3)));
        run.state(measured(period(0, 10, ten, ten), use));
        RunState second = measured(period(10, 20, ten, ten.plus(ten)), use);
        run.state(second);
        run.state(second);

        String publish = "latency=\"publish\"";
        assertThat(served())
                .contains(of("period_rate", "of=\"sent\"", "10.0"), of("period_rate", "of=\"received\"", "19.0"))
                .contains("benchmark_latency_seconds_count{driver=\"fake\",latency=\"publish\",workload=\"load\"} 200")
                .contains("benchmark_latency_seconds_bucket{driver=\"fake\",latency=\"publish\",workload=\"load\""
                        + ",le=\"0.005\"} 198")
                .contains("benchmark_latency_seconds_bucket{driver=\"fake\",latency=\"publish\",workload=\"load\""
                        + ",le=\"0.003\"} 0")
                .contains(of("latency_seconds_sum", publish, "2.792"))
                .anyMatch(line -> line.startsWith("benchmark_period_latency_seconds{driver=\"fake\"," + publish
                        + ",percentile=\"99\",workload=\"load\"} 0.00"))
                .anyMatch(line -> line.startsWith("benchmark_period_latency_seconds{driver=\"fake\"," + publish
                        + ",percentile=\"99.9\",workload=\"load\"} 1.0"))
                .noneMatch(line -> line.contains("period_latency_seconds") && line.contains("end_to_end"))
                .contains("benchmark_resource_cpu_core_percent{driver=\"fake\",name=\"kafka-1\",role=\"broker\""
                        + ",stat=\"mean\",workload=\"load\"} 50.0")
                .contains("benchmark_resource_cpu_core_percent{driver=\"fake\",name=\"kafka-1\",role=\"broker\""
                        + ",stat=\"max\",workload=\"load\"} 70.0")
                .anyMatch(line -> line.startsWith("benchmark_resource_load1_min{"));
    }

    @Test
    void aRunOfWorkersIsServedByWorker() throws Exception {
        RunRequest request = request(folder);
        RunListener run = runs.begin(request);
        String first = "worker=\"worker 1 (w1)\"";
        String second = "worker=\"worker 2 (w2)\"";
        run.workers(List.of(
                new WorkerState(
                        "worker 1 (w1)", false, Optional.empty(), Optional.of(new Offset(-3_000, 41_000)), 250_000),
                new WorkerState("worker 2 (w2)", true, Optional.empty(), Optional.empty(), 0)));
        Totals one = new Totals(100, 90, 0, List.of(100L, 20L), 0);
        Totals other = new Totals(50, 50, 0, List.of(0L, 80L), 0);
        run.state(measured(PeriodSnapshot.merged(List.of(period(0, 10, one, one), period(0, 5, other, other)))));
        run.state(measured(PeriodSnapshot.merged(
                List.of(period(10, 20, one, one.plus(one)), period(5, 10, other, other.plus(other))))));

        assertThat(served())
                .contains(ofWorker("up", first, "1.0"), ofWorker("up", second, "0.0"))
                .contains(ofWorker("round_trip_seconds", first, "2.5E-4"))
                .contains(ofWorker("clock_offset_seconds", first, "-3.0E-6"))
                .contains(ofWorker("clock_bound_seconds", first, "4.1E-5"))
                .noneMatch(line -> line.contains("worker_clock") && line.contains(second))
                .contains(ofWorker("messages_sent_total", first, "200.0"))
                .contains(ofWorker("messages_acknowledged_total", first, "180.0"))
                .contains(ofWorker("messages_received_total", second, "160.0"))
                .contains("benchmark_worker_period_rate{driver=\"fake\",of=\"sent\"," + second
                        + ",workload=\"load\"} 10.0")
                .contains("benchmark_worker_period_rate{driver=\"fake\",of=\"received\"," + first
                        + ",workload=\"load\"} 12.0");

        runs.ended(result(request, Verdict.OK));
        assertThat(served())
                .contains(ofWorker("messages_sent_total", first, "200.0"))
                .noneMatch(line -> line.startsWith("benchmark_worker_up"));
    }

    private static String ofWorker(String name, String worker, String value) {
        return "benchmark_worker_" + name + "{driver=\"fake\"," + worker + ",workload=\"load\"} " + value;
    }

    private static RunState measured(PeriodSnapshot period) {
        return measuring(period.totals(), new RunPeriod(period, ResourcePeriod.NONE), List.of());
    }

    @Test
    void whatOneProcessDoesAloneIsNotServedByWorker() throws Exception {
        Totals ten = new Totals(10, 10, 0, List.of(10L), 0);
        runs.begin(request(folder)).state(measured(period(0, 10, ten, ten)));
        assertThat(served()).noneMatch(line -> line.contains("worker"));
    }

    @Test
    void aFigureThatAPeriodLacksIsAsItWasUntilItsProcessHasNone() throws Exception {
        RunListener run = runs.begin(request(folder));
        use(run, Map.of(Figure.THREADS, new FigureUse(1, 7, 7), Figure.OPEN_FILES, new FigureUse(1, 3, 3)));
        use(run, Map.of(Figure.THREADS, new FigureUse(1, 8, 8)));
        String labels = "{driver=\"fake\",name=\"kafka-1\",role=\"broker\",stat=\"mean\",workload=\"load\"} ";
        assertThat(served())
                .contains(
                        "benchmark_resource_threads" + labels + "8.0",
                        "benchmark_resource_open_files" + labels + "3.0");

        use(run, Map.of());
        assertThat(served()).noneMatch(line -> line.startsWith("benchmark_resource"));
    }

    private static void use(RunListener run, Map<Figure, FigureUse> figures) {
        Totals ten = new Totals(10, 10, 0, List.of(10L), 0);
        run.state(measured(period(0, 10, ten, ten), new ResourceUse("kafka-1", Role.BROKER, figures)));
    }

    @Test
    void whatSpeaksAgainstTheFiguresIsServedAtOnce() throws Exception {
        RunListener run = runs.begin(request(folder));
        run.state(measuring(null, null, List.of(Finding.targetRateMissed(1000, 10))));

        assertThat(served())
                .contains(of("verdict_so_far", "verdict=\"INVALID\"", "1.0"))
                .contains(of("verdict_so_far", "verdict=\"OK\"", "0.0"))
                .contains(of("findings_so_far", "kind=\"TargetRateMissed\",severity=\"invalidates\"", "1.0"));
    }

    @Test
    void whereNothingCanBeSaidYetThereIsNoVerdict() throws Exception {
        RunListener run = runs.begin(request(folder));
        run.state(measuring(null, null, null));

        assertThat(served())
                .contains(of("phase", "phase=\"measure\"", "1.0"))
                .noneMatch(line -> line.startsWith("benchmark_verdict_so_far"));
    }

    @Test
    void theLastRunStaysUntilTheNextOneAndItsVerdictUntilThatOneEnds() throws Exception {
        RunRequest request = request(folder);
        RunListener first = runs.begin(request);
        first.state(measuring(new Totals(7, 7, 0, List.of(7L, 7L), 0), null, List.of()));
        runs.ended(result(request, Verdict.INVALID, Finding.sendErrors(3), Finding.messageCountMissed(2, 1)));

        assertThat(served())
                .contains("benchmark_running 0.0", of("messages_sent_total", "", "7.0"))
                .contains(of("phase", "phase=\"measure\"", "0.0"), of("target_rate", "", "0.0"))
                .contains("benchmark_runs_total{verdict=\"INVALID\"} 1.0")
                .contains(of("last_run_verdict", "verdict=\"INVALID\"", "1.0"))
                .contains(of("last_run_findings", "kind=\"SendErrors\",severity=\"invalidates\"", "1.0"))
                .noneMatch(line -> line.startsWith("benchmark_verdict_so_far"));

        runs.begin(request);

        assertThat(served())
                .contains("benchmark_running 1.0", of("last_run_verdict", "verdict=\"INVALID\"", "1.0"))
                .noneMatch(line -> line.startsWith("benchmark_messages_sent_total"));
    }

    @Test
    void aRunWithoutARateHasNoTarget() throws Exception {
        RunListener run = runs.begin(request(folder));
        run.state(measuring(null, null, List.of()));
        assertThat(served()).contains(of("target_rate", "", "1000.0"));

        run.state(new RunState(
                RunPhase.MEASURE, Optional.empty(), Double.POSITIVE_INFINITY, null, null, Map.of(), List.of()));

        assertThat(served()).noneMatch(line -> line.startsWith("benchmark_target_rate"));
    }
}
