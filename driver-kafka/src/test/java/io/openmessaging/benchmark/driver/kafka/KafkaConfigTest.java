package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.TestConfigs.problemsOf;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withCommon;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withConsumer;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withExistingTopics;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withProducer;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withShareGroup;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withTopic;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withTransaction;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaConfigTest {

    private static final String ADDRESS = "bootstrap.servers=127.0.0.1:1\n";

    @ParameterizedTest
    @MethodSource
    void oneThingIsWrong(KafkaConfig config, String problem) {
        assertThat(problemsOf(config)).containsExactly(problem);
    }

    private static String missingClass(String setting, String name) {
        return setting + ": needs the class " + name
                + ", which no jar of the driver contains: put its jar, and those that it" + " needs, into "
                + Path.of("target").toAbsolutePath() + ", on each worker as well";
    }

    /** Clients would detect these errors only when they are created, after a broker was started. */
    static Stream<Arguments> whatIsNotThereIsToldWithTheFolderForIt() {
        return Stream.of(
                Arguments.of(
                        withProducer("interceptor.classes=a.Missing"),
                        missingClass("producerConfig.interceptor.classes", "a.Missing")),
                Arguments.of(
                        withCommon(ADDRESS + "metric.reporters=org.apache.kafka.common.metrics.JmxReporter, a.Missing"),
                        missingClass("commonConfig.metric.reporters", "a.Missing")),
                Arguments.of(
                        withProducer("partitioner.class=a.Missing"),
                        missingClass("producerConfig.partitioner.class", "a.Missing")),
                Arguments.of(
                        withCommon(ADDRESS + "sasl.jaas.config=a.Module required;"),
                        missingClass("commonConfig.sasl.jaas.config", "a.Module")),
                Arguments.of(
                        withCommon(ADDRESS + "ssl.truststore.location=/no/such/store"),
                        "commonConfig.ssl.truststore.location: must be a file that can be read, got '/no/such/store'"));
    }

    @ParameterizedTest
    @MethodSource
    void whatIsNotThereIsToldWithTheFolderForIt(KafkaConfig config, String problem) {
        assertThat(problemsOf(config)).containsExactly(problem);
    }

    /** Users' existing files contain these keys. */
    @Test
    void whatIsUsedAnywayMayBeSaid() {
        String kafka = "org.apache.kafka.common.serialization.";
        assertThat(problemsOf(withProducer("key.serializer=" + kafka + "StringSerializer\nvalue.serializer=" + kafka
                        + "ByteArraySerializer")))
                .isEmpty();
    }

    static Stream<Arguments> oneThingIsWrong() {
        String notHostAndPort =
                "commonConfig.bootstrap.servers: must be host:port, several of them separated by commas: ";
        return Stream.of(
                Arguments.of(withTopic(0, ""), "replicationFactor: must be a number from 1 to 32767, got 0"),
                Arguments.of(withTopic(40_000, ""), "replicationFactor: must be a number from 1 to 32767, got 40000"),
                Arguments.of(
                        withTopic(1, "min.insync.replicas=2"),
                        "topicConfig.min.insync.replicas: must be at most replicationFactor, which is 1, got '2'"),
                Arguments.of(
                        withTopic(1, "retention.sm=1"),
                        "topicConfig.retention.sm: is not a setting of a Kafka topic, did you mean 'retention.ms'?"),
                Arguments.of(
                        withTopic(1, "linger.ms=1"),
                        "topicConfig.linger.ms: is not a setting of a Kafka topic, it belongs in producerConfig"),
                Arguments.of(
                        withTopic(1, "flush.messages=\\u12"),
                        "topicConfig: must be the text of a Java properties file: Malformed \\uxxxx encoding."),
                Arguments.of(
                        withCommon(""),
                        "commonConfig.bootstrap.servers: must name the cluster's addresses, host:port,host:port"),
                Arguments.of(
                        withCommon("bootstrap.servers=localhost"),
                        notHostAndPort + "the port is missing, got 'localhost'"),
                Arguments.of(
                        withCommon("bootstrap.servers=a:1,:2,b:2"), notHostAndPort + "the host is missing, got ':2'"),
                Arguments.of(withCommon("bootstrap.servers=a:1, ,b:2"), notHostAndPort + "it is empty, got ''"),
                Arguments.of(
                        withCommon("bootstrap.servers=a:1,b:70000"),
                        notHostAndPort + "the port is not a number from 1 to 65535, got 'b:70000'"),
                Arguments.of(
                        withCommon("bootstrap.servers=a:99999999999"),
                        notHostAndPort + "the port is not a number from 1 to 65535, got 'a:99999999999'"),
                Arguments.of(
                        withCommon("bootstrap.servers=${ADDRESS:-a:1}"),
                        notHostAndPort + "no value replaces ${ADDRESS:-a:1}; in a driver"
                                + " file, ${env:NAME} reads an environment variable, got '${ADDRESS:-a:1}'"),
                Arguments.of(
                        withCommon(ADDRESS + "security.protocl=SSL"),
                        "commonConfig.security.protocl: is not a setting of a Kafka client,"
                                + " did you mean 'security.protocol'?"),
                Arguments.of(
                        withCommon(ADDRESS + "min.insync.replicas=1"),
                        "commonConfig.min.insync.replicas: is not a setting of a Kafka client,"
                                + " it belongs in topicConfig"),
                Arguments.of(
                        withCommon(ADDRESS + "request.timeout.ms=soon"),
                        "commonConfig.request.timeout.ms: Not a number of type INT, got 'soon'"),
                Arguments.of(
                        withProducer("linger.sm=1"),
                        "producerConfig.linger.sm: is not a setting of a Kafka producer, did you mean 'linger.ms'?"),
                Arguments.of(
                        withProducer("Acks=1"),
                        "producerConfig.Acks: is not a setting of a Kafka producer, did you mean 'acks'?"),
                Arguments.of(
                        withProducer("auto.offset.reset=latest"),
                        "producerConfig.auto.offset.reset: is not a setting of a Kafka producer,"
                                + " it belongs in consumerConfig"),
                Arguments.of(
                        withProducer("acks=some"),
                        "producerConfig.acks: String must be one of: all, -1, 0, 1, got 'some'"),
                Arguments.of(
                        withProducer("batch.size=-1"), "producerConfig.batch.size: Value must be at least 0, got '-1'"),
                Arguments.of(
                        withProducer("value.serializer=org.apache.kafka.common.serialization.StringSerializer"),
                        "producerConfig.value.serializer: is fixed: keys are sent as UTF-8 text,"
                                + " payloads unchanged"),
                Arguments.of(
                        withProducer("transactional.id=t"),
                        "producerConfig.transactional.id: needs the key transaction, whose ids start with it"),
                Arguments.of(
                        withTransaction("acks=1", Duration.ofSeconds(1)),
                        "producerConfig.acks: must be all with transaction, got '1'"),
                Arguments.of(
                        withTransaction("transaction.timeout.ms=2000", Duration.ofSeconds(2)),
                        "transaction.maxTime: must be less than the time after which brokers abort the transaction,"
                                + " transaction.timeout.ms=2000, got '2000ms'"),
                Arguments.of(
                        withProducer("bootstrap.servers=127.0.0.1:2"),
                        "producerConfig.bootstrap.servers: belongs in commonConfig:"
                                + " all clients of a run use one cluster"),
                Arguments.of(
                        withProducer("enable.idempotence=true\nacks=1"),
                        "producerConfig: must be a combination that Kafka accepts:"
                                + " Must set acks to all in order to use the idempotent producer."
                                + " Otherwise we cannot guarantee idempotence."),
                Arguments.of(
                        withConsumer("group.instance.id=1"),
                        "consumerConfig.group.instance.id: is not supported: all consumers of a subscription"
                                + " would have the same id and fence each other"),
                Arguments.of(
                        withConsumer("share.acknowledgement.mode=implicit"),
                        "consumerConfig.share.acknowledgement.mode: is fixed: explicit, each message is acknowledged"
                                + " after it is delivered"),
                Arguments.of(
                        withShareGroup("", "auto.offset.reset=earliest"),
                        "consumerConfig.auto.offset.reset: does not apply to consumers of share groups, which groupType"
                                + " selects: remove it"),
                Arguments.of(
                        withShareGroup("interceptor.classes=", ""),
                        "commonConfig.interceptor.classes: does not apply to consumers of share groups, which groupType"
                                + " selects: remove it"),
                Arguments.of(
                        withExistingTopics(null, "", "", GroupType.CONSUMER, "a", "b", "a"),
                        "existingTopics: must be distinct names, got [a, b, a]"),
                Arguments.of(
                        withExistingTopics(3, "", "", GroupType.CONSUMER, "a"),
                        "replicationFactor: must be absent with existingTopics: the topics keep their own, got 3"),
                Arguments.of(
                        sharing(withShareGroup("", "")),
                        "groupType: must be CONSUMER with sharedClients: a client of a share group cannot"
                                + " pause one topic of several, got SHARE"),
                Arguments.of(
                        sharing(withTransaction("", Duration.ofSeconds(2))),
                        "transaction: must be absent with sharedClients: a client has one transaction at a time, which"
                                + " several producers would share"),
                Arguments.of(
                        withExistingTopics(null, "retention.ms=1", "", GroupType.CONSUMER, "a"),
                        "topicConfig: must be absent with existingTopics: the topics keep their own"),
                Arguments.of(
                        withExistingTopics(null, "", "", GroupType.SHARE, "a"),
                        "groupType: must be CONSUMER with existingTopics: a share group cannot be set to start at"
                                + " the end before it reads, got SHARE"),
                Arguments.of(
                        withConsumer("auto.offset.rest=latest"),
                        "consumerConfig.auto.offset.rest: is not a setting of a Kafka consumer,"
                                + " did you mean 'auto.offset.reset'?"));
    }

    @Test
    void problemsOfAllTextsAreFoundAtOnce() {
        KafkaConfig config = new KafkaConfig(0, "retention.sm=1", "", "acks=2", "max.poll.recrods=1", false);
        assertThat(problemsOf(config)).hasSize(5);
    }

    @ParameterizedTest
    @MethodSource
    void nothingIsWrong(KafkaConfig config) {
        assertThat(problemsOf(config)).isEmpty();
    }

    private static KafkaConfig sharing(KafkaConfig config) {
        return ConfigRecords.with(config, Map.of("sharedClients", new KafkaSharedClients(1, 1)));
    }

    static Stream<KafkaConfig> nothingIsWrong() {
        return Stream.of(
                withCommon("bootstrap.servers = a:9092 , b:9092 "),
                withCommon("bootstrap.servers=[::1]:9092,PLAINTEXT://b:9092"),
                withCommon(ADDRESS + "client.id={zone.id}-bench"),
                withCommon(ADDRESS + "max.in.flight.requests.per.connection=5\nauto.offset.reset=earliest"),
                withCommon(ADDRESS + "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n"
                        + "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"
                        + " username=\"u\" password=\"p\";\nssl.endpoint.identification.algorithm="),
                withCommon(ADDRESS + "a.setting.of.some.interceptor=1"),
                withProducer("acks=0"),
                withTransaction("acks=all\ntransactional.id=bench", Duration.ofSeconds(59)),
                sharing(withProducer("acks=1")),
                withConsumer("group.id=bench\nenable.auto.commit=true"),
                withConsumer("group.protocol=consumer"),
                withExistingTopics(null, "", "auto.offset.reset=earliest", GroupType.CONSUMER, "a", "b.c"),
                withShareGroup("", "group.id=bench\nmax.poll.records=10\nshare.acquire.mode=record_limit"),
                withTopic(3, "min.insync.replicas=2\nflush.messages=1\nredpanda.remote.write=true"));
    }

    @Test
    void aReplicationFactorMayBeLeftOut() {
        KafkaConfig config = new KafkaConfig(null, "min.insync.replicas=2", ADDRESS, "", "", true);
        assertThat(problemsOf(config)).isEmpty();
    }

    @Test
    void textsThatAreAbsentAreEmpty() {
        KafkaConfig config = DriverConfigs.bind(KafkaConfig.class, "");
        assertThat(config).isEqualTo(new KafkaConfig(null, "", "", "", "", false));
        assertThat(problemsOf(config))
                .isEqualTo(List.of(
                        "commonConfig.bootstrap.servers: must name the cluster's addresses, host:port,host:port"));
    }
}
