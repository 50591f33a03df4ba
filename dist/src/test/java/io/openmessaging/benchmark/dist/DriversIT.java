package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All systems whose brokers can be started for a run, with the drivers of the distribution. */
class DriversIT extends WithBenchmark {

    private static final int MESSAGES = 600;

    /** Each runs at a port where nothing listens, so that a broker on the usual port of this machine does no harm. */
    private static final List<String> REAL_SYSTEMS = List.of(
            "driver-kafka/kafka.yaml",
            "driver-rabbitmq/rabbitmq.yaml",
            "driver-redis/redis.yaml",
            "driver-pulsar/pulsar.yaml",
            "driver-artemis/artemis.yaml",
            "driver-rocketmq/rocketmq.yaml",
            "driver-nats/nats.yaml");

    /** Brokers that are not JVMs report themselves how much memory they use. */
    private static final Map<String, String> OWN_FIGURE =
            Map.of("RabbitMQ", "brokerMemoryBytes", "Redis", "brokerMemoryBytes", "NATS", "brokerMessages");

    /** Clients of seven vendors, with three versions of Netty, run one after the other in one process. */
    @Test
    void allSystemsRunOneAfterTheOtherAndLeaveNothingBehind() throws Exception {
        benchmark.file("workload.yaml", """
                topics: 1
                partitionsPerTopic: 2
                keyDistributor: KEY_ROUND_ROBIN
                messageSize: 1024
                subscriptionsPerTopic: 2
                consumerPerSubscription: 2
                producersPerTopic: 2
                producerRate: 300
                warmupDuration: 0s
                messageCount: %d
                samplePeriod: 1s
                resourcePeriod: 200ms
                """.formatted(MESSAGES));
        Benchmark.Outcome outcome = benchmark.run(
                "--brokers",
                "local",
                "-d",
                REAL_SYSTEMS.stream().map(Benchmark::shipped).collect(Collectors.joining(",")),
                "workload.yaml");

        assertThat(benchmark.resultFiles()).as(outcome.all()).hasSize(REAL_SYSTEMS.size());
        List<String> folders = brokerFolders();
        for (Path file : benchmark.resultFiles()) {
            JsonNode result = JsonMapper.shared().readTree(file.toFile());
            assertLossless(result, outcome);
            String runId = result.path("runId").asString();
            assertThat(runId).isNotEmpty();
            assertThat(folders).noneMatch(folder -> folder.endsWith("-" + runId));
        }
        Waiting.until(
                "the end of the brokers' processes", () -> benchmark.brokers().isEmpty());
    }

    /** On a slow machine sends may be late, which makes a run INVALID; nothing may make it lose a message. */
    private static void assertLossless(JsonNode result, Benchmark.Outcome outcome) {
        String system = result.path("driver").asString();
        assertThat(result.path("verdict").asString())
                .as(system + "\n" + outcome.all())
                .isIn("OK", "INVALID");
        assertThat(result.path("audit").path("subscriptions").size()).as(system).isEqualTo(2);
        for (JsonNode subscription : result.path("audit").path("subscriptions")) {
            assertThat(subscription.path("received").asLong())
                    .as(system)
                    .isEqualTo(subscription.path("expected").asLong())
                    .isEqualTo(MESSAGES);
        }
        assertThat(result.path("broker").path("managed").asBoolean()).as(system).isTrue();
        List<JsonNode> brokers = result.path("resources")
                .path("entries")
                .valueStream()
                .filter(entry -> entry.path("role").asString().equals("broker"))
                .toList();
        assertThat(brokers).as(system).isNotEmpty();
        brokers.forEach(entry -> assertMeasured(system, entry));
        List<JsonNode> telling = brokers.stream()
                .filter(entry -> mean(entry, OWN_FIGURE.getOrDefault(system, "heapUsedBytes")) > 0)
                .toList();
        assertThat(telling).as("%s tells what it uses: %s", system, brokers).isNotEmpty();
        if (!OWN_FIGURE.containsKey(system)) {
            assertThat(telling).as(system).hasSameSizeAs(brokers).allSatisfy(DriversIT::assertCollected);
        }
        assertThat(mean(brokers.get(brokers.size() - 1), "cpuCorePercent"))
                .as("%s, processor time", system)
                .isPositive();
    }

    private static double mean(JsonNode entry, String figure) {
        return entry.path("figures").path(figure).path("mean").asDouble(0);
    }

    private static void assertMeasured(String system, JsonNode broker) {
        assertThat(mean(broker, "residentBytes"))
                .as("%s, memory of %s", system, broker.path("name"))
                .isGreaterThan(500_000);
        assertThat(broker.path("figures").has("cpuCorePercent"))
                .as("%s, processor time of %s", system, broker.path("name"))
                .isTrue();
    }

    /** The broker is a JVM; in so short a run it may well do without a collection. */
    private static void assertCollected(JsonNode broker) {
        assertThat(mean(broker, "heapCommittedBytes")).isGreaterThanOrEqualTo(mean(broker, "heapUsedBytes"));
        assertThat(broker.path("figures").has("collectionsPerSec")).isTrue();
        assertThat(broker.path("figures").has("collectionPercent")).isTrue();
        assertThat(broker.path("collectors").propertyNames())
                .containsExactlyInAnyOrder("G1 Young Generation", "G1 Old Generation");
    }

    /** The folders of the brokers of this checkout, named after the run. */
    private static List<String> brokerFolders() throws IOException {
        try (Stream<Path> folders = Files.list(Benchmark.HOME.resolve(".brokers/runs"))) {
            return folders.map(folder -> folder.getFileName().toString()).toList();
        }
    }
}
