package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** End-to-end tests with a real Kafka that the command starts itself. */
@LongSuite("starts a Kafka for each test")
class KafkaIT extends WithBenchmark {

    private static final int MANY_STEPS = 20;

    @BeforeEach
    void driver() throws IOException {
        // Nothing listens on port 1, so a broker on the usual port of this machine does no harm.
        benchmark.file(
                "kafka.yaml",
                Files.readString(Benchmark.HOME.resolve("driver-kafka/kafka.yaml"))
                        .replace("localhost:9092", "localhost:1"));
    }

    private static String workload(int messageSize, int subscriptions, String rest) {
        return """
                topics: 1
                partitionsPerTopic: 3
                keyDistributor: KEY_ROUND_ROBIN
                messageSize: %d
                subscriptionsPerTopic: %d
                consumerPerSubscription: 2
                producersPerTopic: 2
                warmupDuration: 2s
                samplePeriod: 1s
                """.formatted(messageSize, subscriptions) + rest;
    }

    /** Broker nodes that were started for the run: processes that name a file below the folder of a broker. */
    private List<Long> brokerPids() {
        Path runs = Benchmark.HOME.resolve(".brokers").resolve("runs");
        // A watcher of a node names the folder itself and ends a moment after the node.
        Pattern node = Pattern.compile(Pattern.quote(runs + "/") + "[^/\\s]+/");
        return benchmark.brokers().stream()
                .filter(process ->
                        node.matcher(process.info().commandLine().orElse("")).find())
                .map(ProcessHandle::pid)
                .toList();
    }

    @Test
    void aSteadyRunLosesNothingAndLeavesNothing() throws Exception {
        benchmark.file("workload.yaml", workload(1024, 2, "producerRate: 1000\nmessageCount: 5000\n"));
        Benchmark.Outcome outcome = benchmark.run("--brokers", "local", "-d", "kafka.yaml", "workload.yaml");

        benchmark.assertRan(outcome);
        JsonNode result = benchmark.result();
        assertThat(result.path("publishRate").size()).isPositive();
        assertThat(result.path("aggregatedPublishLatency50pct").asDouble()).isPositive();
        assertThat(result.path("aggregatedEndToEndLatency99pct").asDouble()).isPositive();
        for (JsonNode subscription : result.path("audit").path("subscriptions")) {
            assertThat(subscription.path("received").asLong())
                    .isEqualTo(subscription.path("expected").asLong())
                    .isGreaterThanOrEqualTo(5_000);
        }
        assertThat(result.path("audit").path("subscriptions").size()).isEqualTo(2);
        assertThat(result.path("audit").path("duplicated").asLong(-1)).isZero();
        assertThat(result.path("audit").path("outOfOrder").asLong(-1)).isZero();
        assertThat(result.path("broker").path("version").asString()).startsWith("4.4");
        assertThat(result.path("broker").path("managed").asBoolean()).isTrue();
        assertThat(brokerPids()).isEmpty();
    }

    @Test
    void tenByteMessagesAreTimedAndAudited() throws Exception {
        benchmark.file("workload.yaml", workload(10, 1, "producerRate: 500\nmessageCount: 2000\n"));
        Benchmark.Outcome outcome = benchmark.run("-d", "kafka.yaml", "workload.yaml");

        benchmark.assertRan(outcome);
        JsonNode result = benchmark.result();
        assertThat(result.path("audit").path("lost").asLong(-1)).isZero();
        assertThat(result.path("latencies").path("endToEnd").path("count").asLong())
                .isGreaterThanOrEqualTo(2_000);
        assertThat(result.path("latencies").path("scheduledEndToEnd").isNull()).isTrue();
        assertThat(result.path("findings").toString()).contains("scheduledEndToEndLatency is not measured");
    }

    @Test
    void aRateThatCannotBeReachedIsInvalid() throws Exception {
        benchmark.file(
                "workload.yaml",
                workload(100, 1, "producerRate: 5000000\ntestDuration: 3s\n")
                        .replace("keyDistributor: KEY_ROUND_ROBIN\n", ""));
        Benchmark.Outcome outcome = benchmark.run("-d", "kafka.yaml", "workload.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(benchmark.result().path("verdict").asString()).isEqualTo("INVALID");
        assertThat(outcome.out()).contains("target rate missed: 5,000,000 msg/s asked for");
    }

    /** The command starts as many nodes as the replicas need. */
    @Test
    void threeNodesKeepThreeCopies() throws Exception {
        benchmark.file(
                "three.yaml",
                Files.readString(folder.resolve("kafka.yaml"))
                        .replace("replicationFactor: 1", "replicationFactor: 3\nlocalBroker: {heap: 256m}"));
        benchmark.file("workload.yaml", workload(1024, 1, "producerRate: 500\ntestDuration: 3s\n"));
        Benchmark.Outcome outcome = benchmark.run("-d", "three.yaml", "workload.yaml");

        benchmark.assertRan(outcome);
        assertThat(benchmark.result().path("broker").path("nodes").size()).isEqualTo(3);
        assertThat(benchmark.result().path("audit").path("lost").asLong(-1)).isZero();
    }

    @Test
    void moreReplicasThanNodesAreRefusedBeforeAnythingStarts() throws Exception {
        benchmark.file(
                "three.yaml",
                Files.readString(folder.resolve("kafka.yaml"))
                        .replace("replicationFactor: 1", "replicationFactor: 3\nlocalBroker: {nodes: 1}"));
        benchmark.file("workload.yaml", workload(1024, 1, "producerRate: 500\ntestDuration: 3s\n"));
        Benchmark.Outcome outcome = benchmark.run("-d", "three.yaml", "workload.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("replicationFactor: 3 needs 3 nodes, and a local broker would have 1 by localBroker.nodes")
                .doesNotContain("\tat ");
        assertThat(benchmark.resultFiles()).isEmpty();
        assertThat(brokerPids()).isEmpty();
    }

    @Test
    void aKilledHarnessLeavesNoBroker() throws Exception {
        benchmark.file("workload.yaml", workload(1024, 1, "producerRate: 500\ntestDuration: 10m\n"));
        Process process = benchmark.start("-d", "kafka.yaml", "workload.yaml");
        benchmark.awaitPrinted(process, "\nwarm-up");
        assertThat(brokerPids()).hasSize(1);

        Benchmark.signal("KILL", process.pid());

        Waiting.until("the broker is gone", () -> brokerPids().isEmpty());
    }

    @Test
    void ctrlCStopsTheBroker() throws Exception {
        benchmark.file("workload.yaml", workload(1024, 1, "producerRate: 500\ntestDuration: 10m\n"));
        Process process = benchmark.start("-d", "kafka.yaml", "workload.yaml");
        benchmark.awaitPrinted(process, "\nmeasure");

        Benchmark.signal("INT", process.pid());
        Benchmark.Outcome outcome = benchmark.await(process);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(130);
        assertThat(benchmark.result().path("verdict").asString()).isEqualTo("INTERRUPTED");
        assertThat(benchmark.result().path("audit").path("lost").asLong(-1)).isZero();
        assertThat(brokerPids()).isEmpty();
    }

    @Test
    void aRealBrokerEndsStepsByARule() throws Exception {
        // Without a rate, messages wait in the client for longer than that, from the first step on.
        benchmark.file("workload.yaml", ONE_OF_EACH.replace("producersPerTopic: 1\n", "") + """
                producerRate: unlimited
                producerSteps: {from: 1, to: %d, by: 1, every: 3s}
                abortWhen: {publishLatencyAvg: 1ms}
                inFlightLimit: 20000
                warmupDuration: 2s
                samplePeriod: 1s
                """.formatted(MANY_STEPS));
        Benchmark.Outcome outcome = benchmark.run("--brokers", "local", "-d", "kafka.yaml", "workload.yaml");

        JsonNode result = benchmark.result();
        assertThat(result.path("failure").isNull()).as(outcome.all()).isTrue();
        List<JsonNode> steps = result.path("steps").valueStream().toList();
        assertThat(steps).as(outcome.all()).hasSizeBetween(1, MANY_STEPS - 1);
        JsonNode last = steps.get(steps.size() - 1);
        assertThat(last.path("clean").asBoolean()).isFalse();
        assertThat(last.path("abortedBy").asString()).isEqualTo("publishLatencyAvg");
        assertThat(result.path("saturation").isNull()).isEqualTo(steps.size() == 1);
        assertThat(result.path("audit").path("lost").asLong(-1))
                .as(outcome.all())
                .isZero();
        assertThat(outcome.out()).contains("step: ", "publishLatencyAvg was ");
    }

    @Test
    void consumersJoinAtARealBroker() throws IOException, InterruptedException {
        benchmark.file(
                "workload.yaml",
                ONE_OF_EACH
                                .replace("partitionsPerTopic: 1", "partitionsPerTopic: 3")
                                .replace("consumerPerSubscription: 1\n", "")
                        + """
                producerRate: 500
                consumerSteps: {from: 1, to: 3, every: 3s}
                warmupDuration: 2s
                samplePeriod: 1s
                """);
        Benchmark.Outcome outcome = benchmark.run("--brokers", "local", "-d", "kafka.yaml", "workload.yaml");

        JsonNode result = benchmark.result();
        assertThat(result.path("failure").isNull()).as(outcome.all()).isTrue();
        assertThat(result.path("steps")
                        .valueStream()
                        .map(step -> step.path("consumers").asInt()))
                .containsExactly(1, 2, 3);
        assertThat(result.path("audit").path("lost").asLong(-1))
                .as(outcome.all())
                .isZero();
        assertThat(result.path("saturation").path("consumers").asInt()).isEqualTo(3);
    }
}
