package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.timing.Timing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Workers and coordinators that are killed or halted in phases other than the measurement. */
@LongSuite("runs of which each loses a process")
class WorkerLossIT extends WithBenchmark {

    private static final String WORKERS_PROCESS = "benchmark.cli.worker.WorkerMain";

    private static final Pattern DRAINS = Pattern.compile("benchmark_phase\\{[^}]*phase=\"drain\"[^}]*} 1");

    private static final int SOON_MS = 15_000;

    private static final String LONG_WARM_UP = "producerRate: 300\nwarmupDuration: 10m\ntestDuration: 10m\n";

    private Process start(String rest, String... workers) throws IOException {
        return start(List.of(), rest, workers);
    }

    private Process start(List<String> prefix, String rest, String... workers) throws IOException {
        benchmark.file("redis.yaml", Files.readString(Benchmark.HOME.resolve("driver-redis/redis.yaml")));
        return startWith("redis.yaml", prefix, rest, workers);
    }

    private Process startWith(String driver, List<String> prefix, String rest, String... workers) throws IOException {
        benchmark.file("workload.yaml", """
                topics: 2
                partitionsPerTopic: 1
                messageSize: 100
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: 1
                samplePeriod: 1s
                """ + rest);
        List<String> arguments = new ArrayList<>(List.of(workers));
        arguments.addAll(List.of("--metrics-port", "0", "--brokers", "local", "-d", driver, "workload.yaml"));
        return benchmark.start(prefix, "bin/benchmark", "", arguments.toArray(String[]::new));
    }

    private Process start(String rest, WorkerProcess one, WorkerProcess two) throws IOException {
        return start(rest, "--workers", one.url() + "," + two.url(), "--roles", "split", "--worker-limit", "lost=5s");
    }

    /** The metrics that the run serves; without a terminal, only they report phases without load. */
    private String figures() throws IOException, InterruptedException {
        Matcher address = Pattern.compile("live metrics: (\\S+)").matcher(benchmark.printed());
        if (!address.find()) {
            return "";
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(address.group(1)))
                .timeout(Patience.LIMIT)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /**
     * Asserts that the run ended with 1, named the lost worker and left nothing behind; a worker that was only halted
     * continues.
     */
    private Benchmark.Outcome assertEnds(Process process, WorkerProcess other, WorkerProcess lost) throws Exception {
        Benchmark.Outcome outcome = benchmark.await(process);
        Benchmark.signal("CONT", lost.pid());
        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.out() + outcome.err())
                .contains("worker 2 (")
                .contains("lost")
                .doesNotContain("\tat ")
                .doesNotContain("Exception");
        Waiting.until("the other worker is free", () -> other.page().contains("\nfree"));
        assertThat(benchmark.brokers()).isEmpty();
        return outcome;
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void aWorkerThatIsLostBeforeItHasPreparedIsNamed(String signal) throws Exception {
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one");
                WorkerProcess two = WorkerProcess.start(benchmark, "two")) {
            Process process = start(LONG_WARM_UP, one, two);
            benchmark.awaitPrinted(process, "\nworker 2 (");

            Benchmark.signal(signal, two.pid());

            assertEnds(process, one, two);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void aWorkerThatIsLostInTheWarmUpEndsTheRun(String signal) throws Exception {
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one");
                WorkerProcess two = WorkerProcess.start(benchmark, "two")) {
            Process process = start(LONG_WARM_UP, one, two);
            benchmark.awaitPrinted(process, "\nwarm-up");

            Benchmark.signal(signal, two.pid());

            assertEnds(process, one, two);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void aWorkerThatIsLostWhileConsumersCatchUpLeavesMessagesInDoubt(String signal) throws Exception {
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one");
                WorkerProcess two = WorkerProcess.start(benchmark, "two")) {
            // Consumers need a minute for the messages of five seconds.
            Process process =
                    start("producerRate: 600\nconsumerDelay: 40ms\nwarmupDuration: 0s\ntestDuration: 5s\n", one, two);
            Waiting.until("consumers catch up", () -> DRAINS.matcher(figures()).find());

            Benchmark.signal(signal, two.pid());

            Benchmark.Outcome outcome = assertEnds(process, one, two);
            JsonNode result = benchmark.result();
            assertThat(result.path("verdict").asString()).as(outcome.all()).isEqualTo("INVALID");
            assertThat(result.path("findings").toString()).contains("WorkerLost", "worker 2 (");
            assertThat(result.path("audit").path("inDoubt").asLong(-1))
                    .as(outcome.all())
                    .isPositive();
            assertThat(result.path("audit").path("lost").asLong(-1))
                    .as(outcome.all())
                    .isZero();
        }
    }

    /** A group of Kafka keeps a member that died until its session times out after 45 s. */
    @ParameterizedTest
    @CsvSource({"KILL, warm-up", "STOP, warm-up", "KILL, measure", "STOP, measure"})
    @Timing(toleranceMs = SOON_MS)
    void aRunOnKafkaEndsSoonAfterTheLastSignOfLifeOfOneOfItsWorkers(String signal, String phase) throws Exception {
        benchmark.file(
                "kafka.yaml",
                // Nothing listens on port 1, so a broker on the usual port of this machine does no harm.
                Files.readString(Benchmark.HOME.resolve("driver-kafka/kafka.yaml"))
                        .replace("localhost:9092", "localhost:1"));
        Process process = startWith(
                "kafka.yaml",
                List.of(),
                phase.equals("measure") ? "producerRate: 300\nwarmupDuration: 0s\ntestDuration: 10m\n" : LONG_WARM_UP,
                "--local-workers",
                "2");
        benchmark.awaitPrinted(process, "\n" + phase);
        long lostNs = System.nanoTime();

        Benchmark.signal(signal, aLocalWorker());
        Benchmark.Outcome outcome = benchmark.await(process);

        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lostNs))
                .as(outcome.all())
                .isLessThan(SOON_MS);
        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.out() + outcome.err()).contains("lost").doesNotContain("Exception");
    }

    private long aLocalWorker() {
        return benchmark.processes(WORKERS_PROCESS).get(0).pid();
    }

    @Test
    void aHaltedWorkerThatTheRunHasStartedEndsWithIt() throws Exception {
        Process process = start(LONG_WARM_UP, "--local-workers", "2", "--worker-limit", "lost=5s");
        benchmark.awaitPrinted(process, "\nwarm-up");

        Benchmark.signal("STOP", aLocalWorker());
        Benchmark.Outcome outcome = benchmark.await(process);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.out()).contains("lost: nothing heard for 5 s");
        assertThat(benchmark.processes(WORKERS_PROCESS)).isEmpty();
        assertThat(benchmark.brokers()).isEmpty();
    }

    /** A terminal signals all its processes, including the workers; the coordinator is what ends the workers. */
    @Test
    void ctrlCInATerminalLeavesItsWorkersToTheCoordinator() throws Exception {
        Process process = start(
                List.of("setsid"),
                "producerRate: 300\nwarmupDuration: 0s\ntestDuration: 10m\n",
                "--local-workers",
                "2");
        benchmark.awaitPrinted(process, "\nmeasure");

        Benchmark.signal("INT", -process.pid());
        Benchmark.Outcome outcome = benchmark.await(process);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(130);
        JsonNode result = benchmark.result();
        assertThat(result.path("verdict").asString()).isEqualTo("INTERRUPTED");
        assertThat(result.path("findings").toString()).doesNotContain("WorkerLost");
        JsonNode subscription = result.path("audit").path("subscriptions").path(0);
        assertThat(subscription.path("received").asLong())
                .as(outcome.all())
                .isEqualTo(subscription.path("expected").asLong())
                .isPositive();
        assertThat(benchmark.processes(WORKERS_PROCESS)).isEmpty();
    }

    @Test
    void workersThatACoordinatorHasStartedEndWithIt() throws Exception {
        Process process = start(LONG_WARM_UP, "--local-workers", "2");
        benchmark.awaitPrinted(process, "\nwarm-up");
        assertThat(benchmark.processes(WORKERS_PROCESS)).hasSize(2);

        Benchmark.signal("KILL", process.pid());

        Waiting.until(
                "no worker is left", () -> benchmark.processes(WORKERS_PROCESS).isEmpty());
        Waiting.until("no broker is left", () -> benchmark.brokers().isEmpty());
    }
}
