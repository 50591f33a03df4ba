package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the command says and leaves behind when something is wrong, and when nothing is. */
class CommandIT extends WithBenchmark {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String IN_MEMORY = Benchmark.shipped("driver-inmemory/inmemory.yaml");
    private static final String KAFKA = Benchmark.shipped("driver-kafka/kafka.yaml");

    private static final String WORKLOAD = ONE_OF_EACH + """
            producerRate: 1000
            warmupDuration: 0s
            testDuration: 2s
            samplePeriod: 1s
            """;

    @BeforeEach
    void workload() throws IOException {
        benchmark.file("workload.yaml", WORKLOAD);
    }

    private void assertRefused(Benchmark.Outcome outcome, String... sentences) throws IOException {
        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(2);
        assertThat(outcome.err()).contains(sentences).doesNotContain("\tat ").doesNotContain("Exception");
        assertThat(outcome.err().lines().count()).as(outcome.err()).isLessThanOrEqualTo(sentences.length + 1L);
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void anUnknownKeyComesWithASuggestion() throws Exception {
        benchmark.file("bad.yaml", WORKLOAD.replace("messageSize", "mesageSize"));
        assertRefused(benchmark.run(LIMIT, "-d", IN_MEMORY, "bad.yaml"), "bad.yaml: mesageSize", "messageSize");
    }

    @Test
    void problemsOfAllFilesComeTogether() throws Exception {
        benchmark.file("bad1.yaml", WORKLOAD.replace("1000", "-5"));
        benchmark.file("bad2.yaml", WORKLOAD.replace("topics: 1", "topics: many"));
        assertRefused(
                benchmark.run(LIMIT, "-d", IN_MEMORY + ",missing.yaml", "bad1.yaml", "bad2.yaml"),
                "missing.yaml: ",
                "bad1.yaml: producerRate: ",
                "bad2.yaml: topics: ");
    }

    @Test
    void aMissingPayloadFileIsNamed() throws Exception {
        benchmark.file("bad.yaml", WORKLOAD + "payloadFile: no-such.data\n");
        assertRefused(benchmark.run(LIMIT, "-d", IN_MEMORY, "bad.yaml"), "bad.yaml: payloadFile: ");
    }

    @Test
    void aDriverClassThatDoesNotExistIsNamed() throws Exception {
        benchmark.file("driver.yaml", "name: x\ndriverClass: org.example.NoSuchDriver\n");
        assertRefused(
                benchmark.run(LIMIT, "-d", "driver.yaml", "workload.yaml"),
                "driver.yaml: driverClass: must be the class of an installed driver; there are drivers for");
    }

    @Test
    void anUnknownKeyOfTheDriverIsNamed() throws Exception {
        benchmark.file(
                "driver.yaml", Files.readString(Path.of(KAFKA)).replace("replicationFactor", "replicatonFactor"));
        assertRefused(benchmark.run(LIMIT, "-d", "driver.yaml", "workload.yaml"), "driver.yaml: replicatonFactor: ");
    }

    @Test
    void anOutputThatCannotBeWrittenIsRefusedBeforeTheRun() throws Exception {
        benchmark.file("file", "");
        assertRefused(benchmark.run(LIMIT, "-d", IN_MEMORY, "-o", "file/result.json", "workload.yaml"), "file");
    }

    @Test
    void aMisspeltOptionComesWithASuggestion() throws Exception {
        assertRefused(benchmark.run(LIMIT, "--driver", IN_MEMORY, "workload.yaml"), "--driver");
    }

    @Test
    void workersThatAreNotThereAreNamedInOneLine() throws Exception {
        assertRefused(
                benchmark.run(LIMIT, "-d", KAFKA, "-w", "http://127.0.0.1:1", "workload.yaml"),
                "worker 1 (http://127.0.0.1:1): nothing listens there; start 'bin/benchmark-worker");
    }

    @Test
    void aSystemInsideOneProcessIsRefusedForWorkers() throws Exception {
        assertRefused(
                benchmark.run(LIMIT, "-d", IN_MEMORY, "-w", "http://127.0.0.1:1", "workload.yaml"),
                "the system is inside this process");
    }

    @Test
    void aDryRunDescribesAndLeavesNothing() throws Exception {
        Benchmark.Outcome outcome = benchmark.run(LIMIT, "--dry-run", "-d", KAFKA, "workload.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        assertThat(outcome.out()).contains("workload on Kafka", "localhost:9092", "1000 msg/s", "at least 2s");
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void everyWorkloadOfOmbIsAccepted() throws Exception {
        // With a client for each producer and consumer, a million topics are refused on most machines.
        List<String> arguments = new ArrayList<>(List.of("--dry-run", "-d", "kafka-shared-clients"));
        try (Stream<Path> files = Files.list(Benchmark.HOME.resolve("workloads/omb"))) {
            files.map(Path::toString).filter(file -> file.endsWith(".yaml")).forEach(arguments::add);
        }
        Benchmark.Outcome outcome = benchmark.run(LIMIT, arguments.toArray(new String[0]));

        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        assertThat(outcome.out()).contains("run 1 of " + (arguments.size() - 3));
    }

    @Test
    void aBrokerThatIsNotThereIsOneSentence() throws Exception {
        benchmark.file("driver.yaml", Files.readString(Path.of(KAFKA)).replace("localhost:9092", "127.0.0.1:1"));
        Benchmark.Outcome outcome =
                benchmark.run(Duration.ofMinutes(2), "--brokers", "external", "-d", "driver.yaml", "workload.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.err()).contains("127.0.0.1:1").doesNotContain("\tat ");
        assertThat(outcome.err().lines().count()).as(outcome.err()).isEqualTo(1);
        assertThat(benchmark.resultFiles()).isEmpty();
    }

    @Test
    void aResultIsNeverOverwrittenAndAllOfThemMakeATable() throws Exception {
        Benchmark.Outcome first = benchmark.run(LIMIT, "-d", IN_MEMORY + "," + IN_MEMORY, "workload.yaml");
        benchmark.assertRan(first);
        assertThat(benchmark.resultFiles()).hasSize(2).allMatch(CommandIT::isNamedAsOmbDoes);

        Benchmark.Outcome table = benchmark.run(LIMIT, "--csv", "results");
        assertThat(table.exitCode()).as(table.all()).isZero();
        try (Stream<Path> files = Files.list(folder)) {
            Path csv = files.filter(file -> file.toString().endsWith(".csv"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readAllLines(csv)).hasSize(3);
        }
    }

    private static boolean isNamedAsOmbDoes(Path file) {
        return file.getFileName()
                .toString()
                .matches("workload-[\\w-]+-\\d{4}-\\d{2}-\\d{2}-\\d{2}-\\d{2}-\\d{2}(-\\d+)?\\.json");
    }

    @Test
    void ctrlCWritesWhatWasMeasured() throws Exception {
        benchmark.file("long.yaml", WORKLOAD.replace("testDuration: 2s", "testDuration: 10m"));
        Process process = benchmark.start("-d", IN_MEMORY, "long.yaml");
        // Two periods are measured.
        Waiting.until(
                "two periods are printed",
                LIMIT,
                () -> benchmark
                                .printed()
                                .lines()
                                .filter(line -> line.startsWith("measure"))
                                .count()
                        >= 2);
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor(10, TimeUnit.SECONDS);
        Benchmark.Outcome outcome = benchmark.await(process, Duration.ofSeconds(30));

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(130);
        assertThat(benchmark.result().path("verdict").asString()).isEqualTo("INTERRUPTED");
        assertThat(benchmark.result().path("publishRate").size()).isGreaterThanOrEqualTo(2);
        assertThat(benchmark.result().path("audit").path("lost").asLong(-1)).isZero();
    }
}
