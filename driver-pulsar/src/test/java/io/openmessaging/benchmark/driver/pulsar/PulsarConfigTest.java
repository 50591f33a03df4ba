package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.TestConfigs.problemsOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.pulsar.ClientConfig.PulsarLogin;
import io.openmessaging.benchmark.driver.pulsar.ConsumerConfig.AckMode;
import io.openmessaging.benchmark.driver.pulsar.ProducerConfig.TransactionConfig;
import java.time.Duration;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PulsarConfigTest {

    /** All keys of OMB's files, some without a value, as in those files. */
    private static final String OF_OMB = """
            client:
              serviceUrl: pulsar+ssl://broker-1:6651,broker-2:6651
              httpUrl: https://broker-1:8443
              ioThreads: 4
              connectionsPerBroker: 2
              clusterName: local
              namespacePrefix: tenant/name
              clientMemoryLimitMB: 32
              maxConcurrentLookupRequests: 77
              topicType: non_persistent
              persistence:
                ensembleSize: 5
                writeQuorum: 4
                ackQuorum: 3
                deduplicationEnabled: true
              tlsAllowInsecureConnection: true
              tlsEnableHostnameVerification: true
              tlsTrustCertsFilePath:
              authentication:
                plugin: org.apache.pulsar.client.impl.auth.AuthenticationToken
                data: token:x
            producer:
              batchingEnabled: false
              batchingMaxPublishDelayMs: 2
              batchingMaxBytes: 1000
              blockIfQueueFull: false
              pendingQueueSize: 7
            consumer:
              receiverQueueSize: 9
              subscriptionType: Shared
            """;

    @Test
    void everyKeyOfOmbIsKnown() {
        PulsarConfig config = TestConfigs.of(OF_OMB);
        assertThat(problemsOf(config)).isEmpty();
        assertThat(config.client())
                .isEqualTo(new ClientConfig(
                        "pulsar+ssl://broker-1:6651,broker-2:6651",
                        "https://broker-1:8443",
                        4,
                        2,
                        "local",
                        "tenant/name",
                        "non-persistent",
                        new Persistence(5, 4, 3, true, false, null),
                        32,
                        77,
                        true,
                        true,
                        null,
                        new PulsarLogin("org.apache.pulsar.client.impl.auth.AuthenticationToken", "token:x")));
        assertThat(config.producer())
                .isEqualTo(new ProducerConfig(
                        false,
                        2,
                        1000,
                        0,
                        ProducerConfig.Batcher.DEFAULT,
                        false,
                        7,
                        null,
                        0,
                        CompressionType.NONE,
                        null,
                        null));
        assertThat(config.consumer())
                .isEqualTo(new ConsumerConfig(
                        9, SubscriptionType.Shared, SubscriptionInitialPosition.Latest, AckMode.INDIVIDUAL, 100));
    }

    @Test
    void whatIsLeftOutHasTheDefaultsOfOmbAndOfTheClient() {
        PulsarConfig config = TestConfigs.of("");
        assertThat(problemsOf(config)).isEmpty();
        assertThat(config.client())
                .isEqualTo(new ClientConfig(
                        "pulsar://localhost:6650",
                        "http://localhost:8080",
                        8,
                        8,
                        null,
                        "benchmark/ns",
                        "persistent",
                        new Persistence(3, 3, 2, false, false, null),
                        256,
                        1_000,
                        false,
                        false,
                        null,
                        new PulsarLogin(null, null)));
        assertThat(config.producer())
                .isEqualTo(new ProducerConfig(
                        true,
                        1,
                        1024 * 1024,
                        0,
                        ProducerConfig.Batcher.DEFAULT,
                        true,
                        null,
                        null,
                        0,
                        CompressionType.NONE,
                        null,
                        null));
        assertThat(config.producer().pending()).isZero();
        assertThat(config.consumer())
                .isEqualTo(new ConsumerConfig(
                        10_000,
                        SubscriptionType.Failover,
                        SubscriptionInitialPosition.Latest,
                        AckMode.INDIVIDUAL,
                        100));
    }

    @Test
    void aTransactionIsOneOfAHundredMessagesOrATenthOfASecondUnlessTold() {
        assertThat(TestConfigs.of("producer: {transaction: {}}").producer().transaction())
                .isEqualTo(new TransactionConfig(100, Duration.ofMillis(100)));
    }

    @Test
    void theLimitOfPendingMessagesHasTwoNames() {
        assertThat(TestConfigs.of("producer: {maxPendingMessages: 3}")
                        .producer()
                        .pending())
                .isEqualTo(3);
        assertThat(problemsOf(TestConfigs.of("producer: {maxPendingMessages: 3, pendingQueueSize: 3}")))
                .containsExactly("producer.maxPendingMessages: must be absent with pendingQueueSize:"
                        + " both set the same limit, got 3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    client: {serviceUrl: 'http://a:1'}        | client.serviceUrl: must be pulsar://host:port or pulsar+ssl://host:port, several hosts separated by commas: it starts with http://, not with pulsar:// or pulsar+ssl://, got 'http://a:1'
                    client: {serviceUrl: 'pulsar://a:1,'}     | client.serviceUrl: must be pulsar://host:port or pulsar+ssl://host:port, several hosts separated by commas: the host is missing, got 'pulsar://a:1,'
                    client: {httpUrl: 'a:8080'}               | client.httpUrl: must be http://host:port or https://host:port, several hosts separated by commas: it does not start with http:// or https://, got 'a:8080'
                    client: {ioThreads: 0}                    | client.ioThreads: must be at least 1, got 0
                    client: {connectionsPerBroker: -1}        | client.connectionsPerBroker: must be at least 0, got -1
                    client: {namespacePrefix: benchmark}      | client.namespacePrefix: must be tenant/name, made of letters, digits and - = : . _, got 'benchmark'
                    client: {namespacePrefix: a/b/c}          | client.namespacePrefix: must be tenant/name, made of letters, digits and - = : . _, got 'a/b/c'
                    client: {topicType: durable}              | client.topicType: must be persistent or non-persistent, got 'durable'
                    client: {clientMemoryLimitMB: -1}         | client.clientMemoryLimitMB: must be at least 0, got -1
                    client: {authentication: {data: secret}}  | client.authentication.plugin: must name the class that the data are for
                    client: {persistence: {ackQuorum: 0}}     | client.persistence.ackQuorum: must be at least 1, got 0
                    client: {persistence: {writeQuorum: 1}}   | client.persistence.writeQuorum: must be at least ackQuorum, which is 2, got 1
                    client: {persistence: {ensembleSize: 2}}  | client.persistence.ensembleSize: must be at least writeQuorum, which is 3, got 2
                    producer: {batchingMaxPublishDelayMs: 0}  | producer.batchingMaxPublishDelayMs: must be at least 1, got 0
                    producer: {batchingMaxBytes: 0}           | producer.batchingMaxBytes: must be at least 1, got 0
                    producer: {batchingMaxMessages: -1}       | producer.batchingMaxMessages: must be at least 0, got -1
                    producer: {pendingQueueSize: -1}          | producer.pendingQueueSize: must be at least 0, got -1
                    producer: {maxPendingMessages: -1}        | producer.maxPendingMessages: must be at least 0, got -1
                    producer: {sendTimeoutMs: -1}             | producer.sendTimeoutMs: must be at least 0, got -1
                    {producer: {deliverAfter: 0s}, consumer: {subscriptionType: Shared}} | producer.deliverAfter: must be from 1ms to 1h, got '0s'
                    producer: {deliverAfter: 1s}              | consumer.subscriptionType: must be Shared or Key_Shared with producer.deliverAfter: other types deliver messages at once, got Failover
                    {client: {topicType: non-persistent}, producer: {deliverAfter: 1s}, consumer: {subscriptionType: Shared}} | client.topicType: must be persistent with producer.deliverAfter: messages that are not stored are delivered at once, got 'non-persistent'
                    {client: {topicType: non-persistent}, producer: {transaction: {}}} | client.topicType: must be persistent with producer.transaction, got 'non-persistent'
                    producer: {transaction: {}, sendTimeoutMs: 1} | producer.sendTimeoutMs: must be 0 with transaction: the client accepts no other value for its messages, got 1
                    producer: {transaction: {messages: 0}}    | producer.transaction.messages: must be a number from 1 to 100000, got 0
                    producer: {transaction: {maxTime: 1m}}    | producer.transaction.maxTime: must be from 1ms to 10s, got '1m'
                    existingTopics: [a, 'non-persistent://public/default/b'] | existingTopics: must be names of persistent topics, got [a, non-persistent://public/default/b]
                    existingTopics: ['persistent://b']        | existingTopics: must be names of persistent topics, got [persistent://b]
                    consumer: {receiverQueueSize: 0}          | consumer.receiverQueueSize: must be at least 1, got 0
                    consumer: {ackGroupTimeMs: -1}            | consumer.ackGroupTimeMs: must be at least 0, got -1
                    consumer: {subscriptionType: Key_Shared, ackMode: CUMULATIVE} | consumer.ackMode: must be INDIVIDUAL when consumers share a partition, as with Key_Shared, got CUMULATIVE
                    """)
    void oneThingIsWrong(String yaml, String problem) {
        assertThat(problemsOf(TestConfigs.of(yaml))).containsExactly(problem);
    }

    @Test
    void aSecretIsNotShown() {
        assertThat(TestConfigs.of("client: {authentication: {plugin: p, data: hush}}")
                        .toString())
                .doesNotContain("hush");
    }
}
