package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs of several worker processes on this machine, against real brokers. */
@Order(1)
class WorkersIT extends WithBenchmark {

    private static final String OTHERS = "the default suite has one run of several workers";

    private static final int MESSAGES = 1_500;

    private static final String A_NUMBER = "producerRate: 600\nwarmupDuration: 0s\nmessageCount: " + MESSAGES + "\n";

    private static final String WORKERS_PROCESS = "benchmark.cli.worker.WorkerMain";

    private String driver(String name) throws IOException {
        return benchmark
                .file(
                        name + ".yaml",
                        // Nothing listens on port 1, so a broker on the usual port of this machine does no harm.
                        Files.readString(Benchmark.HOME.resolve("driver-%s/%s.yaml".formatted(name, name)))
                                .replaceAll("(localhost|127\\.0\\.0\\.1):\\d+", "localhost:1"))
                .toString();
    }

    private static String workload(int topics, int producersPerTopic, String rest) {
        return """
                topics: %d
                partitionsPerTopic: 1
                messageSize: 1024
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: %d
                samplePeriod: 1s
                """.formatted(topics, producersPerTopic) + rest;
    }

    @Test
    void severalWorkersAreOneLoad() throws Exception {
        shareALoad("redis", 2, 3, 1, "mixed");
    }

    @ParameterizedTest
    @LongSuite(OTHERS)
    @CsvSource({"kafka, 2, 2, 1, mixed", "rabbitmq, 3, 3, 1, split", "redis, 4, 9, 1, mixed", "redis, 3, 1, 1, mixed"})
    void severalWorkersAreOneLoad(String system, int workers, int topics, int producers, String roles)
            throws Exception {
        shareALoad(system, workers, topics, producers, roles);
    }

    /** A script stands in for the connection: each machine is a folder of this one. */
    @Test
    void workersStartedBySshShareALoadAndLeaveNothing() throws Exception {
        Path ssh = benchmark.file("ssh", """
                #!/bin/sh
                while [ $# -gt 2 ]; do shift; done
                [ "$1" != -G ] || { echo "hostname 127.0.0.1"; exit 0; }
                HOME="%s/$1" exec sh -c "$2"
                """.formatted(benchmark.folder()));
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path one = Files.createDirectory(benchmark.folder().resolve("one"));
        Path two = Files.createDirectory(benchmark.folder().resolve("two"));
        Process workers = benchmark.start(
                "workers",
                "start",
                "--ssh",
                "one,two",
                "--ssh-command",
                ssh.toString(),
                "--host",
                "127.0.0.1",
                "-p",
                "0");
        benchmark.awaitPrinted(workers, "ready;");
        Matcher urls = Pattern.compile("--workers (\\S+)").matcher(benchmark.printed());
        assertThat(urls.find()).isTrue();
        benchmark.file("workload.yaml", workload(2, 1, A_NUMBER));

        Benchmark.Outcome outcome = benchmark.runOnWorkers(List.of(), urls.group(1), driver("redis"));
        benchmark.assertAllArrived(MESSAGES, outcome);
        assertThat(benchmark.result().path("workers")).hasSize(2);

        Benchmark.signal("INT", workers.pid());
        Benchmark.Outcome ended = benchmark.await(workers);
        assertThat(ended.exitCode()).as(ended.all()).isZero();
        assertThat(one).isEmptyDirectory();
        assertThat(two).isEmptyDirectory();
        assertThat(ended.err()).contains("stopping: the workers end, their logs are brought, their files are removed");
        assertThat(benchmark.workerLog("worker-2-two.log"))
                .contains("Claimed for a run of", "the worker has ended with exit code 0");
        assertThat(benchmark.processes(WORKERS_PROCESS)).isEmpty();
    }

    private void shareALoad(String system, int workers, int topics, int producers, String roles) throws Exception {
        benchmark.file("workload.yaml", workload(topics, producers, A_NUMBER));
        Benchmark.Outcome outcome = benchmark.run(
                "--local-workers",
                Integer.toString(workers),
                "--worker-logs",
                "--roles",
                roles,
                "-d",
                driver(system),
                "workload.yaml");

        benchmark.assertRan(outcome);
        JsonNode result = benchmark.result();
        benchmark.assertAllArrived(MESSAGES, outcome);
        List<JsonNode> told = result.path("workers").valueStream().toList();
        assertThat(told).as(outcome.all()).hasSize(workers);
        assertThat(told.stream()
                        .mapToInt(worker -> worker.path("producers").asInt())
                        .sum())
                .isEqualTo(topics * producers);
        assertThat(told.stream()
                        .mapToInt(worker -> worker.path("consumers").asInt())
                        .sum())
                .isEqualTo(topics);
        assertThat(outcome.out()).contains("clocks");
        assertThat(benchmark.processes(WORKERS_PROCESS)).isEmpty();
        assertLogsAddUp(result, workers, outcome);
    }

    private void assertLogsAddUp(JsonNode result, int workers, Benchmark.Outcome outcome) throws IOException {
        String file = benchmark.resultFiles().get(0).toString().replaceFirst("\\.json$", "");
        Map<String, Long> all = samplesByTag(Path.of(file + ".hlog"));
        Map<String, Long> added = new TreeMap<>();
        for (int worker = 1; worker <= workers; worker++) {
            samplesByTag(Path.of(file + "-worker-" + worker + ".hlog"))
                    .forEach((tag, samples) -> added.merge(tag, samples, Long::sum));
        }
        assertThat(Path.of(file + "-worker-" + (workers + 1) + ".hlog")).doesNotExist();
        JsonNode censored = result.path("censored");
        assertThat(censored.path("unanswered").asLong()
                        + censored.path("undelivered").asLong())
                .as("in none of the workers' logs")
                .isZero();
        assertThat(added).as(outcome.all()).isEqualTo(all);
        assertThat(all.get("measure-publish")).isEqualTo(MESSAGES);
    }

    private static Map<String, Long> samplesByTag(Path log) throws IOException {
        Map<String, Long> samples = new TreeMap<>();
        try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
            for (EncodableHistogram interval = reader.nextIntervalHistogram();
                    interval != null;
                    interval = reader.nextIntervalHistogram()) {
                samples.merge(interval.getTag(), ((Histogram) interval).getTotalCount(), Long::sum);
            }
        }
        return samples;
    }

    @Test
    @LongSuite(OTHERS)
    void ctrlCStopsTheLoadOfAllWorkers() throws Exception {
        benchmark.file("workload.yaml", workload(2, 1, "producerRate: 500\ntestDuration: 10m\nwarmupDuration: 0s\n"));
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one");
                WorkerProcess two = WorkerProcess.start(benchmark, "two")) {
            Process process =
                    benchmark.start("--workers", one.url() + "," + two.url(), "-d", driver("redis"), "workload.yaml");
            benchmark.awaitPrinted(process, "\nmeasure");
            assertThat(one.page()).contains("busy: a run of bin/benchmark on ");

            Benchmark.signal("INT", process.pid());
            Benchmark.Outcome outcome = benchmark.await(process);

            assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(130);
            assertThat(benchmark.result().path("verdict").asString()).isEqualTo("INTERRUPTED");
            assertThat(benchmark.result().path("audit").path("lost").asLong(-1)).isZero();
            assertThat(one.page()).contains("\nfree");
            assertThat(two.page()).contains("\nfree");
        }
    }

    @ParameterizedTest
    @LongSuite(OTHERS)
    @ValueSource(strings = {"KILL", "STOP"})
    void aLostWorkerEndsTheLoadAndWhatWasMeasuredIsKept(String signal) throws Exception {
        benchmark.file("workload.yaml", workload(2, 1, "producerRate: 500\ntestDuration: 10m\nwarmupDuration: 0s\n"));
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one");
                WorkerProcess two = WorkerProcess.start(benchmark, "two")) {
            Process process =
                    benchmark.start("--workers", one.url() + "," + two.url(), "-d", driver("redis"), "workload.yaml");
            benchmark.awaitPrinted(process, "\nmeasure");

            Benchmark.signal(signal, two.pid());
            Benchmark.Outcome outcome = benchmark.await(process);
            Benchmark.signal("CONT", two.pid());

            assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
            JsonNode result = benchmark.result();
            assertThat(result.path("verdict").asString()).isEqualTo("INVALID");
            assertThat(result.path("findings").toString())
                    .contains("WorkerLost", "worker 2 (" + two.url().replace("http://", "") + ")");
            assertThat(outcome.out()).contains("not audited   what 1 of 2 producers, on a lost worker, sent after");
            assertThat(result.path("publishRate").size()).as(outcome.all()).isPositive();
            assertThat(result.path("audit").path("lost").asLong(-1))
                    .as(outcome.all())
                    .isZero();
            Waiting.until("the other worker is free", () -> one.page().contains("\nfree"));
        }
    }

    @Test
    @LongSuite(OTHERS)
    void aCoordinatorThatDiesLeavesNoLoad() throws Exception {
        benchmark.file("workload.yaml", workload(2, 1, "producerRate: 500\ntestDuration: 10m\nwarmupDuration: 0s\n"));
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one");
                WorkerProcess two = WorkerProcess.start(benchmark, "two")) {
            Process process =
                    benchmark.start("--workers", one.url() + "," + two.url(), "-d", driver("redis"), "workload.yaml");
            benchmark.awaitPrinted(process, "\nmeasure");

            Benchmark.signal("KILL", process.pid());

            Waiting.until(
                    "both are free",
                    () -> one.page().contains("\nfree") && two.page().contains("\nfree"));
            assertThat(folder.resolve("results/benchmark-worker-" + one.url().replaceFirst(".*:", "") + ".log"))
                    .content()
                    .containsPattern("subscriptions of run (\\w+) remain on the system.* with \\1 in their names");
        }
    }

    @Test
    @LongSuite(OTHERS)
    void aWorkerThatIsBusyNamesWhoHasIt() throws Exception {
        benchmark.file("workload.yaml", workload(1, 1, "producerRate: 500\ntestDuration: 10m\nwarmupDuration: 0s\n"));
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one")) {
            Process first = benchmark.start("--workers", one.url(), "-d", driver("redis"), "workload.yaml");
            benchmark.awaitPrinted(first, "\nmeasure");

            Process second = benchmark.start(
                    List.of(), "bin/benchmark", "second-", "--workers", one.url(), "-d", "redis.yaml", "workload.yaml");
            Benchmark.Outcome refused = benchmark.await(second, "second-");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err())
                    .contains("worker 1 (" + one.url() + ")", "process " + first.pid())
                    .containsPattern(", load for \\d+ s");
            Benchmark.signal("INT", first.pid());
            assertThat(benchmark.await(first).exitCode()).isEqualTo(130);
        }
    }

    /** As in OMB, the current folder has a file of addresses, and producers and consumers are on separate workers. */
    @Test
    @LongSuite(OTHERS)
    void aWorkersFileOfOmbWorksAsItIs() throws Exception {
        benchmark.file("workload.yaml", workload(1, 1, A_NUMBER));
        try (WorkerProcess one = WorkerProcess.start(benchmark, "one");
                WorkerProcess two = WorkerProcess.start(benchmark, "two")) {
            benchmark.file("workers.yaml", "workers:\n  - %s\n  - %s\n".formatted(one.url(), two.url()));

            Benchmark.Outcome outcome = benchmark.run("--roles", "split", "-d", driver("redis"), "workload.yaml");

            benchmark.assertRan(outcome);
            JsonNode workers = benchmark.result().path("workers");
            assertThat(workers.path(0).path("producers").asInt()).isEqualTo(1);
            assertThat(workers.path(0).path("consumers").asInt()).isZero();
            assertThat(workers.path(1).path("consumers").asInt()).isEqualTo(1);
            benchmark.assertAllArrived(MESSAGES, outcome);
        }
    }
}
