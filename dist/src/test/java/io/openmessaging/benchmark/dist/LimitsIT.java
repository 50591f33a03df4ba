package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Limits on real brokers and on the harness, under a load that would use more: the kernel, which enforces them,
 * reports that it had to. Skipped where this machine does not allow control groups. The limits are so low that even a
 * busy machine has that much left.
 */
@LongSuite("five runs with more load than their limits let through")
class LimitsIT extends WithBenchmark {

    private static final String WORKLOAD = ONE_OF_EACH + """
            producerRate: unlimited
            warmupDuration: 2s
            samplePeriod: 2s
            """;

    @BeforeEach
    void workload() throws IOException {
        benchmark.file("workload.yaml", WORKLOAD + "testDuration: 6s\n");
    }

    private void driver(String shipped, String rest) throws IOException {
        String driver = Files.readString(Benchmark.HOME.resolve(shipped));
        // Nothing listens on port 1.
        benchmark.file("driver.yaml", driver.replaceAll("localhost:[0-9]+", "localhost:1") + "\n" + rest + "\n");
    }

    private Process startRun() throws IOException {
        return benchmark.start("-d", "driver.yaml", "workload.yaml");
    }

    private JsonNode resultOf(Process process) throws Exception {
        Benchmark.Outcome outcome = benchmark.await(process);
        assertThat(outcome.out()).as(outcome.all()).contains("limits: ");
        return benchmark.result();
    }

    private static void assumeGroups(JsonNode limit) {
        assumeThat(limit.path("cpusBy").asString())
                .as("control groups are needed, and here limits are kept by " + limit)
                .startsWith("cgroup");
    }

    /** The mean of a figure; -1 if the entry or the figure is missing. */
    private static double mean(JsonNode result, String entry, String figure) {
        for (JsonNode each : result.path("resources").path("entries")) {
            if (each.path("name").asString().equals(entry)) {
                return each.path("figures").path(figure).path("mean").asDouble(-1);
            }
        }
        return -1;
    }

    /** Control groups that a process made. */
    private static List<Path> groupsOf(Process process) throws IOException {
        Path mount = Path.of("/sys/fs/cgroup");
        if (!Files.isDirectory(mount)) {
            return List.of();
        }
        try (Stream<Path> all =
                Files.find(mount, 12, (path, attributes) -> attributes.isDirectory() && isOf(process, path))) {
            return all.toList();
        }
    }

    private static boolean isOf(Process process, Path group) {
        return group.getFileName().toString().matches("benchmark-.*-" + process.pid() + "-[0-9]+");
    }

    @Test
    void aLimitedRedisIsThrottled() throws Exception {
        driver("driver-redis/redis.yaml", "limits: {broker: {cpus: 0.1, memory: 1g}}");
        Process process = startRun();
        JsonNode result = resultOf(process);

        JsonNode limit = result.path("limits").path("broker");
        assumeGroups(limit);
        assertThat(limit.path("cpus").asDouble()).isEqualTo(0.1);
        assertThat(limit.path("memoryBytes").asLong()).isEqualTo(1L << 30);
        assertThat(result.path("limits").path("clients").isNull()).isTrue();
        assertThat(mean(result, "redis-1", "cpuCorePercent")).isPositive();
        assertThat(mean(result, "redis-1", "cpuThrottledPercent")).isPositive();
        assertThat(groupsOf(process)).isEmpty();
    }

    @Test
    void aLimitedKafkaHasAHeapThatFits() throws Exception {
        driver("driver-kafka/kafka.yaml", "limits: {broker: {cpus: 0.5, memory: 768m}}");
        Process process = startRun();
        JsonNode result = resultOf(process);

        JsonNode limit = result.path("limits").path("broker");
        assumeGroups(limit);
        assertThat(result.path("broker").path("localBroker").path("heap").asString())
                .isEqualTo("384m");
        assertThat(mean(result, "kafka-1", "cpuCorePercent")).isPositive();
        assertThat(mean(result, "kafka-1", "residentBytes")).isBetween(50e6, 768 * 1024 * 1024.0);
        assertThat(groupsOf(process)).isEmpty();
    }

    @Test
    void limitedClientsAreThrottled() throws Exception {
        driver("driver-inmemory/inmemory.yaml", "limits: {clients: {cpus: 0.2, memory: 256m}}");
        Process process = startRun();
        JsonNode result = resultOf(process);

        JsonNode limit = result.path("limits").path("clients");
        assumeGroups(limit);
        assertThat(limit.path("memoryBy").isNull()).isTrue();
        assertThat(limit.path("notEnforced").toString()).contains("HEAP_OPTS=-Xmx128m");
        assertThat(mean(result, "harness", "cpuThrottledPercent")).isPositive();
        assertThat(groupsOf(process)).isEmpty();
    }

    @Test
    void eachClientIsAProcessWithinItsLimit() throws Exception {
        driver("driver-redis/redis.yaml", "limits: {eachClient: {cpus: 0.2, memory: 256m}}");
        benchmark.file(
                "workload.yaml",
                (WORKLOAD + "testDuration: 6s\n").replace("consumerPerSubscription: 1", "consumerPerSubscription: 2"));
        Benchmark.Outcome dry = benchmark.run("-d", "driver.yaml", "workload.yaml", "--dry-run");
        assertThat(dry.out()).as(dry.all()).contains("each producer and each consumer: 0.2 processors (");
        assumeThat(dry.out())
                .as("control groups are needed")
                .contains("each producer and each consumer: 0.2 processors (cgroup");
        Process process = startRun();
        JsonNode result = resultOf(process);

        assertThat(result.path("limits").path("eachClient").path("memoryBy").asString())
                .startsWith("cgroup");
        assertThat(result.path("workers")).hasSize(3);
        for (JsonNode worker : result.path("workers")) {
            String name = worker.path("name").asString();
            assertThat(mean(result, name, "cpuThrottledPercent")).as(name).isNotNegative();
            assertThat(mean(result, name, "cpuCorePercent")).as(name).isBetween(1.0, 25.0);
        }
        String producer = result.path("workers").get(0).path("name").asString();
        assertThat(mean(result, producer, "cpuThrottledPercent")).isPositive();
        assertThat(result.path("findings").toString()).doesNotContain("HarnessCpuBound");
        assertThat(groupsOf(process)).isEmpty();
    }

    @Test
    void aKilledRunLeavesNeitherGroupsNorProcesses() throws Exception {
        driver("driver-redis/redis.yaml", "limits: {broker: {cpus: 1, memory: 1g}, clients: {cpus: 1}}");
        benchmark.file("workload.yaml", WORKLOAD + "testDuration: 10m\n");
        Process process = startRun();
        benchmark.awaitPrinted(process, "measure");
        List<Path> groups = groupsOf(process);
        assumeThat(groups)
                .as("control groups are needed, and here none were made")
                .isNotEmpty();
        assertThat(groups).anyMatch(group -> group.toString().contains("benchmark-redis-1-"));
        assertThat(groups).anyMatch(group -> group.toString().contains("benchmark-clients-"));
        assertThat(benchmark.brokers()).isNotEmpty();

        process.destroyForcibly().waitFor();

        Waiting.until("the removal of the groups", () -> groupsOf(process).isEmpty());
        Waiting.until("the end of the broker", () -> benchmark.brokers().isEmpty());
    }
}
