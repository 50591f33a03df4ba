package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Shipped files that only the distribution's drivers can validate, checked as before a run. */
class ShippedFilesIT extends WithBenchmark {

    private static final List<String> WORKLOAD = List.of("workloads/smoke/kafka-1kb.yaml");

    /** Checks that a run of each workload with each driver file would start. */
    private Benchmark.Outcome dryRun(List<String> drivers, List<String> workloads) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--dry-run", "-d", String.join(",", drivers)));
        arguments.addAll(workloads);
        Benchmark.Outcome outcome = benchmark.runInProcess(arguments.toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        int runs = drivers.size() * workloads.size();
        assertThat(outcome.out()).contains("run " + runs + " of " + runs + ": ");
        return outcome;
    }

    /** The files below a folder whose relative path matches. */
    private static List<String> files(Path folder, String path) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> folder.relativize(file).toString().matches(path))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
    }

    /** Each system has the class and keys of OMB, with the values of OMB's own files. */
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
        benchmark.file("nats.yaml", """
                name: NATS
                driverClass: io.openmessaging.benchmark.driver.nats.NatsBenchmarkDriver
                natsHostUrl: localhost:4222
                replicationFactor: 1
                """);
        Benchmark.Outcome outcome = dryRun(files(folder, ".*"), WORKLOAD);

        assertThat(outcome.out()).contains("run 8 of 8: smoke-kafka-1kb on ").doesNotContain("secret");
    }

    /** The module of a driver checks the files in its own folder. */
    @Test
    void everyDriverFileOfAStudyIsTaken() throws Exception {
        List<String> drivers = files(Benchmark.HOME.resolve("workloads"), "[^/]+/drivers/[^/]+\\.yaml");
        assertThat(drivers).hasSizeGreaterThan(10);

        dryRun(drivers, WORKLOAD);
    }

    @Test
    void everyWorkloadOfOmbIsTaken() throws Exception {
        // Most machines refuse a million topics if each producer and consumer has its own client.
        dryRun(List.of("kafka-shared-clients"), files(Benchmark.HOME.resolve("workloads/omb"), ".*\\.yaml"));
    }
}
