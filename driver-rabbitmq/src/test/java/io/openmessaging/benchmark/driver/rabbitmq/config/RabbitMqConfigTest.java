package io.openmessaging.benchmark.driver.rabbitmq.config;

import static io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs.problemsOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.stream.compression.Compression;
import io.openmessaging.benchmark.driver.Problems;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RabbitMqConfigTest {

    @Test
    void whatIsLeftOutIsAsInOpenMessagingBenchmark() {
        RabbitMqConfig config = TestConfigs.of();
        assertThat(problemsOf(config)).isEmpty();
        assertThat(config.queueType()).isEqualTo(RabbitMqConfig.QueueType.CLASSIC);
        assertThat(config.messagePersistence()).isFalse();
        assertThat(config.autoAck()).isTrue();
        assertThat(config.prefetchCount()).isZero();
        assertThat(config.publisherConfirms()).isTrue();
        assertThat(config.confirmWindow()).isEqualTo(1_000);
        assertThat(config.offset()).isEqualTo(RabbitMqConfig.StreamOffset.FIRST);
    }

    @Test
    void someDefaultsFollowFromOtherKeys() {
        assertThat(TestConfigs.of("autoAck", false).prefetchCount()).isEqualTo(500);
        assertThat(TestConfigs.of("queueType", RabbitMqConfig.QueueType.STREAM).confirmWindow())
                .isEqualTo(10_000);
    }

    static List<Arguments> mistakes() {
        return List.of(
                mistake("amqpUris: must name at least one broker", "amqpUris", List.of()),
                mistake(
                        "amqpUris: must be a URI like amqp://user:password@host:5672/vhost: it starts with http://,"
                                + " not with amqp:// or amqps://, got 'http://me:***@host'",
                        "amqpUris",
                        List.of("http://me:secret@host")),
                mistake("producerCreationDelay: must be at least 0, got -1", "producerCreationDelay", -1),
                mistake("producerCreationBatchSize: must be at least 1, got 0", "producerCreationBatchSize", 0),
                mistake("consumerCreationDelay: must be at least 0, got -5", "consumerCreationDelay", -5),
                mistake("consumerCreationBatchSize: must be at least 1, got 0", "consumerCreationBatchSize", 0),
                mistake(
                        "prefetchCount: must be a number from 0 to 65535, got 65536",
                        "prefetchCount",
                        65_536,
                        "autoAck",
                        false),
                mistake(
                        "prefetchCount: needs autoAck: false, since RabbitMQ does not count messages that are"
                                + " already acknowledged, got 1",
                        "prefetchCount",
                        1),
                mistake("confirmWindow: must be a number from 1 to 10000000, got 0", "confirmWindow", 0),
                mistake(
                        "connectionsPerProducers: must be a number from 1 to 10000, got 0",
                        "connectionsPerProducers",
                        0),
                mistake(
                        "connectionsPerConsumers: must be a number from 1 to 10000, got 0",
                        "connectionsPerConsumers",
                        0),
                mistake(
                        "queueArguments.x-queue-type: is set by queueType",
                        "queueArguments",
                        Map.of("x-queue-type", "quorum")),
                mistake(
                        "queueArguments.x-initial-cluster-size: must be a whole number from 1, for streams only,"
                                + " got 'all'",
                        "queueArguments",
                        Map.of("x-initial-cluster-size", "all"),
                        "queueType",
                        RabbitMqConfig.QueueType.STREAM),
                mistake(
                        "queueArguments.x-initial-cluster-size: must be a whole number from 1, for streams only,"
                                + " got '3'",
                        "queueArguments",
                        Map.of("x-initial-cluster-size", "3"),
                        "queueType",
                        RabbitMqConfig.QueueType.QUORUM),
                mistake("quorumInitialGroupSize: needs queueType: QUORUM, got 3", "quorumInitialGroupSize", 3),
                mistake(
                        "quorumInitialGroupSize: must be at least 1, got 0",
                        "quorumInitialGroupSize",
                        0,
                        "queueType",
                        RabbitMqConfig.QueueType.QUORUM),
                mistake(
                        "streamAddresses: must be host:port: the port is missing, got 'host'",
                        "streamAddresses",
                        List.of("host")),
                mistake(
                        "streamAddresses: must be host:port: the port is not a number from 1 to 65535, got 'h:99999'",
                        "streamAddresses",
                        List.of("h:99999")),
                mistake("streamBatchSize: must be a number from 1 to 32767, got 0", "streamBatchSize", 0),
                mistake(
                        "streamSubEntrySize: must be a number from 1 to 32767, got 40000",
                        "streamSubEntrySize",
                        40_000),
                mistake(
                        "streamCompression: needs streamSubEntrySize above 1, since only sub-entries are"
                                + " compressed, got GZIP",
                        "streamCompression",
                        Compression.GZIP),
                mistake("streamMaxSegmentSizeBytes: must be at least 1, got 0", "streamMaxSegmentSizeBytes", 0L),
                mistake("streamMaxLengthBytes: must be at least 1, got -1", "streamMaxLengthBytes", -1L),
                mistake(
                        "publisherConfirms: must be true for streams, whose protocol always confirms, got false",
                        "publisherConfirms",
                        false,
                        "queueType",
                        RabbitMqConfig.QueueType.STREAM),
                mistake(
                        "autoAck: must be true for streams, which have no acknowledgements, got false",
                        "autoAck",
                        false,
                        "queueType",
                        RabbitMqConfig.QueueType.SUPER_STREAM),
                mistake(
                        "prometheusAddresses: must name as many nodes as amqpUris, in the same order, got [h:1, h:2]",
                        "prometheusAddresses",
                        List.of("h:1", "h:2")),
                mistake(
                        "requeueEvery: needs autoAck: false, since messages that are already acknowledged cannot be"
                                + " returned, got 100",
                        "requeueEvery",
                        100),
                mistake(
                        "clientsAtLeader: must be false if queueArguments choose the leaders, got true",
                        "clientsAtLeader",
                        true,
                        "queueArguments",
                        Map.of("x-queue-leader-locator", "balanced")),
                mistake(
                        "clientsAtLeader: must be false for streams, whose client finds the leaders itself, got true",
                        "clientsAtLeader",
                        true,
                        "queueType",
                        RabbitMqConfig.QueueType.STREAM),
                mistake(
                        "streamDeduplication: needs queueType: STREAM or SUPER_STREAM and streamSubEntrySize: 1, since"
                                + " all messages of a sub-entry share one number, got true",
                        "streamDeduplication",
                        true,
                        "queueType",
                        RabbitMqConfig.QueueType.STREAM,
                        "streamSubEntrySize",
                        2),
                mistake(
                        "streamSingleActiveConsumer: needs queueType: STREAM or SUPER_STREAM, offset: first and no"
                                + " streamFilterValues, got true",
                        "streamSingleActiveConsumer",
                        true),
                mistake(
                        "streamFilterValues: needs queueType: STREAM and streamSubEntrySize: 1, since a sub-entry has"
                                + " no filter value, got 4",
                        "streamFilterValues",
                        4,
                        "queueType",
                        RabbitMqConfig.QueueType.SUPER_STREAM),
                mistake(
                        "offsetTimestamp: must be set with offset: timestamp",
                        "offset",
                        RabbitMqConfig.StreamOffset.TIMESTAMP),
                mistake(
                        "offsetTimestamp: needs offset: timestamp, got '2026-01-31T12:00:00Z'",
                        "offsetTimestamp",
                        "2026-01-31T12:00:00Z"),
                mistake(
                        "offsetTimestamp: must be a time like 2026-01-31T12:00:00Z, got 'yesterday'",
                        "offset",
                        RabbitMqConfig.StreamOffset.TIMESTAMP,
                        "offsetTimestamp",
                        "yesterday"));
    }

    private static Arguments mistake(String problem, Object... keysAndValues) {
        return Arguments.of(problem, keysAndValues);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneProblem(String problem, Object[] keysAndValues) {
        assertThat(problemsOf(TestConfigs.of(keysAndValues))).containsExactly(problem);
    }

    @Test
    void aLoginByCertificateNeedsOne() {
        Problems problems = new Problems();
        new TlsConfig(null, null, null, null, true, false, true).check(problems);
        assertThat(problems.found()).hasToString("[keyStore: must have the certificate for login: true]");
    }

    @Test
    void storesOfTlsHaveToBeThere() {
        TlsConfig tls = new TlsConfig("/nowhere/trust.p12", "secret", null, null, true, false, false);
        Problems problems = new Problems();
        tls.check(problems);
        assertThat(problems.found())
                .hasToString("[trustStore: must be a file that can be read, got '/nowhere/trust.p12']");
        assertThat(tls.verifyHostname()).isTrue();
        assertThat(tls.toString()).doesNotContain("secret");
    }

    @Test
    void noPasswordIsPrinted() {
        assertThat(TestConfigs.of("amqpUris", List.of("amqp://me:s3cret@host")).toString())
                .contains("me:***@host")
                .doesNotContain("s3cret");
    }
}
