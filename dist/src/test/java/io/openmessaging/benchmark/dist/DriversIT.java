package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All drivers of the distribution, as one finds them there. */
class DriversIT extends WithBenchmark {

    /** The first use fetches six brokers. */
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private static final Duration AT_ONCE = Duration.ofMinutes(1);

    private static final String DRIVER_FILES = "(driver-[a-z]+|workloads/[^/]+/drivers)/[^/]*\\.yaml";

    /** Each at a port where nothing listens, so that a broker on the usual port of this machine does no harm. */
    private static final List<String> REAL_SYSTEMS = List.of(
            "driver-kafka/kafka.yaml",
            "driver-rabbitmq/rabbitmq.yaml",
            "driver-redis/redis.yaml",
            "driver-pulsar/pulsar.yaml",
            "driver-artemis/artemis.yaml",
            "driver-rocketmq/rocketmq.yaml");

    /** Brokers that are no JVM tell of themselves how much memory they use. */
    private static final Map<String, String> OWN_FIGURE =
            Map.of("RabbitMQ", "brokerMemoryBytes", "Redis", "brokerMemoryBytes");

    /** Clients of six vendors, Netty in three versions, one after the other in one process. */
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
                warmupDuration: 1s
                testDuration: 4s
                samplePeriod: 1s
                """);
        Benchmark.Outcome outcome = benchmark.run(
                LIMIT,
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
                "the processes of the brokers are gone",
                AT_ONCE,
                () -> benchmark.brokers().isEmpty());
    }

    /** On a slow machine sends may be late, which makes a run INVALID; nothing makes it lose a message. */
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
                    .isGreaterThan(1000);
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

    /** A JVM; in so short a run it may well do without a collection. */
    private static void assertCollected(JsonNode broker) {
        assertThat(mean(broker, "heapCommittedBytes")).isGreaterThanOrEqualTo(mean(broker, "heapUsedBytes"));
        assertThat(broker.path("figures").has("collectionsPerSec")).isTrue();
        assertThat(broker.path("figures").has("collectionPercent")).isTrue();
        assertThat(broker.path("collectors").propertyNames())
                .containsExactlyInAnyOrder("G1 Young Generation", "G1 Old Generation");
    }

    /** Those that a broker of this checkout works in: named after the run. */
    private static List<String> brokerFolders() throws IOException {
        try (Stream<Path> folders = Files.list(Benchmark.HOME.resolve(".brokers/runs"))) {
            return folders.map(folder -> folder.getFileName().toString()).toList();
        }
    }

    /** Each system's class and keys as OMB has them; the values that OMB's own files have. */
    @Test
    void everyKeyOfOmbsDriverFilesIsTaken() throws Exception {
        benchmark.file("kafka.yaml", """
                name: Kafka
                driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
                replicationFactor: 3
                reset: true
                topicConfig: |
                  min.insync.replicas=2
                commonConfig: |
                  bootstrap.servers=localhost:9092
                producerConfig: |
                  acks=all
                consumerConfig: |
                  auto.offset.reset=earliest
                """);
        benchmark.file("redpanda.yaml", """
                name: Redpanda
                driverClass: io.openmessaging.benchmark.driver.redpanda.RedpandaBenchmarkDriver
                replicationFactor: 3
                reset: true
                topicConfig: |
                  cleanup.policy=delete
                commonConfig: |
                  bootstrap.servers=localhost:9092
                producerConfig: |
                  acks=all
                consumerConfig: |
                  auto.offset.reset=earliest
                """);
        benchmark.file("rabbitmq.yaml", """
                name: RabbitMQ
                driverClass: io.openmessaging.benchmark.driver.rabbitmq.RabbitMqBenchmarkDriver
                amqpUris: ["amqp://admin:admin@localhost:5672"]
                messagePersistence: false
                queueType: QUORUM
                producerCreationDelay: 100
                producerCreationBatchSize: 5
                consumerCreationDelay: 100
                consumerCreationBatchSize: 5
                """);
        benchmark.file("redis.yaml", """
                name: Redis
                driverClass: io.openmessaging.benchmark.driver.redis.RedisBenchmarkDriver
                redisHost: localhost
                redisPort: 6379
                redisUser: user
                redisPass: secret
                jedisPoolMaxTotal: 100
                jedisPoolMaxIdle: 100
                """);
        benchmark.file("pulsar.yaml", """
                name: Pulsar
                driverClass: io.openmessaging.benchmark.driver.pulsar.PulsarBenchmarkDriver
                client:
                  serviceUrl: pulsar://localhost:6650
                  httpUrl: http://localhost:8080
                  ioThreads: 8
                  connectionsPerBroker: 8
                  clusterName: local
                  namespacePrefix: benchmark/ns
                  topicType: persistent
                  persistence:
                    ensembleSize: 3
                    writeQuorum: 3
                    ackQuorum: 2
                    deduplicationEnabled: false
                  tlsAllowInsecureConnection: false
                  tlsEnableHostnameVerification: false
                  tlsTrustCertsFilePath:
                  authentication: {plugin: , data: }
                producer:
                  batchingEnabled: true
                  batchingMaxPublishDelayMs: 1
                  batchingMaxBytes: 1048576
                  blockIfQueueFull: true
                  pendingQueueSize: 0
                consumer:
                  receiverQueueSize: 10000
                  subscriptionType: Failover
                """);
        benchmark.file("artemis.yaml", """
                name: Artemis
                driverClass: io.openmessaging.benchmark.driver.artemis.ArtemisBenchmarkDriver
                brokerAddress: tcp://localhost:61616
                """);
        benchmark.file("rocketmq.yaml", """
                name: RocketMQ
                driverClass: io.openmessaging.benchmark.driver.rocketmq.RocketMQBenchmarkDriver
                clusterName: DefaultCluster
                namesrvAddr: 127.0.0.1:9876
                vipChannelEnabled: false
                batchCQ: true
                autoBatch: true
                enableBackpressure: true
                backpressureConcurrency: 1024
                accessKey:
                secretKey:
                """);
        Benchmark.Outcome outcome = benchmark.run(
                AT_ONCE,
                "--dry-run",
                "-d",
                "kafka.yaml,redpanda.yaml,rabbitmq.yaml,redis.yaml,pulsar.yaml,artemis.yaml,rocketmq.yaml",
                Benchmark.shipped("workloads/smoke/kafka-1kb.yaml"));

        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        assertThat(outcome.out())
                .contains("run 7 of 7: smoke-kafka-1kb on RocketMQ")
                .doesNotContain("secret");
    }

    /** Every driver file that comes with the project, those of the studies too, checked as a run would check it. */
    @Test
    void everyShippedDriverFileIsTaken() throws Exception {
        List<String> files;
        try (Stream<Path> all = Files.find(
                Benchmark.HOME,
                4,
                (path, attributes) -> Benchmark.HOME.relativize(path).toString().matches(DRIVER_FILES))) {
            files = all.map(Path::toString).sorted().toList();
        }
        assertThat(files).hasSizeGreaterThan(50);
        Benchmark.Outcome outcome = benchmark.run(
                AT_ONCE,
                "--dry-run",
                "-d",
                String.join(",", files),
                Benchmark.shipped("workloads/smoke/kafka-1kb.yaml"));

        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        assertThat(outcome.out()).contains("run " + files.size() + " of " + files.size());
    }

    /** Every plan with its workloads, driver files, published values and claims, checked as before its first run. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "smoke/plan",
                "smoke/all-systems",
                "kaczor-2022/plan",
                "maharjan-2023/plan",
                "chy-2023/plan",
                "ramadan-2026/plan",
                "superstreams-2026/plan"
            })
    void everyShippedPlanIsTaken(String plan) throws Exception {
        Benchmark.Outcome outcome =
                benchmark.run(AT_ONCE, "--dry-run", "--plan", Benchmark.shipped("workloads/" + plan + ".yaml"));

        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        assertThat(outcome.out()).contains("all together");
    }
}
