package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of behaviour specific to Kafka, beyond the contract of all drivers. */
@Isolated("counts the threads of the clients")
class KafkaConnectionIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    /** Limit of calls that is shorter than the longest session of a consumer, which a broker limits to 60 s. */
    private static final Duration BEFORE_TIMEOUT = Duration.ofSeconds(45);

    // Topics

    @Test
    void tooManyReplicasAreRefusedWithKafkasReason() throws Exception {
        KafkaConfig config = KAFKA.reach(new KafkaConfig(3, "", "", "", "", false));
        try (DriverSession session = open(config)) {
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("three", 2))))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not create the topic 'three' (partitions 2, replication factor 3): ")
                    .hasMessageContaining("only 1 broker(s) are registered");
        }
    }

    @Test
    void aTopicSettingThatKafkaDoesNotKnowIsRefused() throws Exception {
        KafkaConfig config = KAFKA.reach(new KafkaConfig(1, "some.other.setting=1", "", "", "", false));
        try (DriverSession session = open(config)) {
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("other", 1))))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("'other'")
                    .hasMessageContaining("some.other.setting");
        }
    }

    @Test
    void aTopicThatIsThereWithOtherPartitionsIsRefused() throws Exception {
        try (DriverSession session = open(config(""))) {
            TopicSpec topic = session.topic(2);
            TopicSpec wider = new TopicSpec(topic.name(), 5);
            assertThatThrownBy(() -> session.connection().createTopics(List.of(wider)))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the topic '" + topic.name()
                            + "' (partitions 5, replication factor 1):"
                            + " one of that name already exists, with 2 partitions");
        }
    }

    @Test
    void topicsAreCreatedWithTheirPartitionsAndDeleted() throws Exception {
        List<TopicSpec> specs = IntStream.range(0, 5)
                .mapToObj(i -> new TopicSpec("batch-" + i, 1 + i))
                .toList();
        try (Admin admin = admin()) {
            KafkaTopics topics = new KafkaTopics(admin, config(""), Patience.LIMIT);
            topics.create(specs);
            List<String> names = specs.stream().map(TopicSpec::name).toList();
            assertThat(Patience.get("the topics", admin.describeTopics(names).allTopicNames())
                            .values())
                    .allSatisfy(topic -> assertThat(topic.name())
                            .isEqualTo("batch-" + (topic.partitions().size() - 1)));
            topics.delete(specs);
            // The controller has deleted the topics; the queried broker learns of that a moment later.
            Patience.await("the broker to have heard of the end of all of them")
                    .untilAsserted(() -> assertThat(Patience.get(
                                    "the topics", admin.listTopics().names()))
                            .doesNotContainAnyElementsOf(names));
        }
    }

    @Test
    void topicSettingsReachTheTopicsAndTheReplicationFactorMayBeLeftOut() throws Exception {
        KafkaConfig config = KAFKA.reach(new KafkaConfig(null, "retention.ms=12345", "", "", "", false));
        try (DriverSession session = open(config);
                Admin admin = admin()) {
            TopicSpec topic = session.topic(1);
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
            assertThat(Patience.get(
                            "the settings",
                            admin.describeConfigs(List.of(resource)).all()))
                    .hasEntrySatisfying(
                            resource,
                            found -> assertThat(found.get("retention.ms").value())
                                    .isEqualTo("12345"));
        }
    }

    // Groups

    @ParameterizedTest
    @ValueSource(strings = {"auto.offset.reset=earliest", "auto.offset.reset=latest"})
    void twoSubscriptionsOfFourConsumersShareFourPartitions(String consumerConfig) throws Exception {
        int messages = 400;
        try (DriverSession session = open(config(consumerConfig))) {
            TopicSpec topic = session.topic(4);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                listeners.add(new RecordingListener());
                specs.add(session.consumerOf(topic, i < 4 ? "first" : "second", listeners.get(i)));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            sendAcknowledged(producer, 0, messages, 100);
            assertGotAll(listeners.subList(0, 4), 0, messages);
            assertGotAll(listeners.subList(4, 8), 0, messages);
            assertThat(listeners)
                    .allSatisfy(listener -> assertThat(listener.messages())
                            .extracting(ReceivedMessage::partition)
                            .as("partitions of one consumer of four")
                            .isNotEmpty()
                            .containsOnly(listener.messages().get(0).partition()));
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void aConsumerWithoutAPartitionIsAttachedToo() throws Exception {
        try (DriverSession session = open(config(""))) {
            TopicSpec topic = session.topic(1);
            List<RecordingListener> listeners = List.of(new RecordingListener(), new RecordingListener());
            session.consumers(
                    session.consumerOf(topic, "s", listeners.get(0)), session.consumerOf(topic, "s", listeners.get(1)));
            sendAcknowledged(session.producer(topic), 0, 50, 100);
            assertGotAll(listeners, 0, 50);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "enable.auto.commit=true\n"})
    void withTheLatestOffsetNothingIsLostWhenAnotherConsumerTakesOver(String commits) throws Exception {
        try (DriverSession session = open(config(commits + "auto.offset.reset=latest"))) {
            TopicSpec topic = session.topic(4);
            BenchmarkProducer producer = session.producer(topic);
            BenchmarkConsumer first = session.consumer(topic, "s", new RecordingListener());
            first.pause();
            sendAcknowledged(producer, 0, 100, 100);
            session.close(first);
            RecordingListener second = new RecordingListener();
            session.consumer(topic, "s", second);
            assertGotAll(List.of(second), 0, 100);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"group.protocol=classic", "group.protocol=consumer", "enable.auto.commit=true"})
    void whatWasDeliveredIsNotDeliveredAgainToAConsumerThatTakesOver(String consumerConfig) throws Exception {
        try (DriverSession session = open(config(consumerConfig))) {
            TopicSpec topic = session.topic(4);
            BenchmarkProducer producer = session.producer(topic);
            RecordingListener before = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", before);
            sendAcknowledged(producer, 0, 100, 100);
            before.awaitMessages(100, Patience.LIMIT);
            session.close(first);
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            sendAcknowledged(producer, 100, 200, 100);
            assertGotAll(List.of(after), 100, 200);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void aPausedConsumerStaysPausedWhenAnotherOneJoins() throws Exception {
        try (DriverSession session = open(config(""))) {
            TopicSpec topic = session.topic(4);
            RecordingListener paused = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", paused);
            first.pause();
            RecordingListener running = new RecordingListener();
            BenchmarkConsumer second = session.consumer(topic, "s", running);
            session.close(second);
            RecordingListener other = new RecordingListener();
            session.consumer(topic, "other", other);
            sendAcknowledged(session.producer(topic), 0, 100, 100);
            assertGotAll(List.of(other), 0, 100);
            assertThat(paused.count())
                    .as("messages while another subscription got all")
                    .isZero();
            first.resume();
            assertGotAll(List.of(paused, running), 0, 100);
        }
    }

    @Test
    void groupsGoWithTheirTopics() throws Exception {
        try (DriverSession session = open(config("group.id=of-this-test"));
                Admin admin = admin()) {
            TopicSpec topic = session.topic(1);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            assertThat(groups(admin)).anyMatch(id -> id.startsWith("of-this-test.") && id.contains(topic.name()));
            session.close(consumer);
            session.connection().deleteTopics(List.of(topic));
            assertThat(groups(admin)).noneMatch(id -> id.contains(topic.name()));
        }
    }

    /** A worker that is killed leaves such members, whose sessions time out only after 45 s by default. */
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void aGroupGoesWithItsTopicsThoughOneOfItsMembersDiedWithoutLeaving(String protocol) throws Exception {
        try (DriverSession session =
                        DriverSession.open(new KafkaBenchmarkDriver(), config("group.id=of-the-dead"), BEFORE_TIMEOUT);
                Admin admin = admin()) {
            TopicSpec topic = session.topic(1);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            String group = groups(admin).stream()
                    .filter(id -> id.contains(topic.name()))
                    .findFirst()
                    .orElseThrow();
            session.close(consumer);
            ConfigResource settings = new ConfigResource(ConfigResource.Type.GROUP, group);
            AlterConfigOp longest = new AlterConfigOp(
                    new ConfigEntry("consumer.session.timeout.ms", "60000"), AlterConfigOp.OpType.SET);
            Patience.get(
                    "the longest session",
                    admin.incrementalAlterConfigs(Map.of(settings, List.of(longest)))
                            .all());
            DyingConsumer.join(KAFKA.addresses(), group, topic.name(), protocol).close();
            assertThat(groups(admin)).contains(group);
            session.connection().deleteTopics(List.of(topic));
            assertThat(groups(admin)).doesNotContain(group);
        }
    }

    @Test
    void aReaderBeginsWithTheOldestMessageWhateverTheFileSaysAndItsGroupGoesToo() throws Exception {
        try (DriverSession session = open(config("auto.offset.reset=none"));
                Admin admin = admin()) {
            TopicSpec topic = session.topic(2);
            sendAcknowledged(session.producer(topic), 0, 100, 100);
            RecordingListener reader = new RecordingListener();
            List<BenchmarkConsumer> readers = session.readers(session.consumerOf(topic, "reader", reader));
            assertGotAll(List.of(reader), 0, 100);
            assertThat(groups(admin)).anyMatch(id -> id.contains(topic.name()));
            session.close(readers.get(0));
            session.connection().deleteTopics(List.of(topic));
            assertThat(groups(admin)).noneMatch(id -> id.contains(topic.name()));
        }
    }

    private static List<String> groups(Admin admin) throws Exception {
        Collection<GroupListing> groups =
                Patience.get("the groups", admin.listGroups().all());
        return groups.stream().map(GroupListing::groupId).toList();
    }

    @Test
    void aConsumerThatCannotAttachIsAnErrorWithKafkasReason() throws Exception {
        try (DriverSession session = open(config("auto.offset.reset=none"))) {
            TopicSpec topic = session.topic(2);
            assertThatThrownBy(() -> session.consumers(
                            session.consumerOf(topic, "s", new RecordingListener()),
                            session.consumerOf(topic, "s", new RecordingListener())))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("of topic '" + topic.name() + "', subscription 's', cannot continue:"
                            + " Undefined offset with no reset policy");
            assertThat(session.events().fatals()).isEmpty();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .as("threads once the connection is closed")
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("kafka-"));
    }

    @Test
    @LongSuite("waits until the limit of a call has passed")
    void consumersOfATopicThatIsNotThereAreGivenUpInTime() throws Exception {
        Duration limit = Patience.LIMIT.dividedBy(4);
        try (DriverSession session = DriverSession.open(new KafkaBenchmarkDriver(), config(""), limit)) {
            ConsumerSpec spec = session.consumerOf(new TopicSpec("nowhere", 1), "s", new RecordingListener());
            assertThatThrownBy(() -> session.consumers(spec))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Waited " + limit.toMillis()
                            + " ms for consumers to be attached: 1 of 1 groups are not complete");
        }
    }

    @Test
    void aProducerOfATopicThatIsNotThereIsAnErrorThatNamesIt() throws Exception {
        KafkaConfig config = KAFKA.reach(new KafkaConfig(1, "", "", "max.block.ms=1000", "", false));
        try (DriverSession session = open(config)) {
            assertThatThrownBy(() -> session.producer(new TopicSpec("not/a/topic", 1)))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not create producers: ")
                    .hasMessageContaining("not/a/topic");
        }
    }

    // Headers

    @Test
    void headersAreRecordHeadersInTheOrderOfTheSpecification() throws Exception {
        Map<String, String> headers = new LinkedHashMap<>();
        IntStream.range(0, 5).forEach(i -> headers.put("name-" + i, "value " + i));
        try (DriverSession session = open(config(""))) {
            TopicSpec topic = session.topic(1);
            sendAcknowledged(session.producer(topic, headers), 0, 2, 100);
            sendAcknowledged(session.producer(topic), 2, 3, 100);
            assertThat(RawRecords.read(KAFKA.addresses(), topic.name(), 3))
                    .extracting(RawRecords::headersOf)
                    .containsExactly(List.copyOf(headers.entrySet()), List.copyOf(headers.entrySet()), List.of());
        }
    }

    // Description

    @Test
    void theBrokerIsDescribed() throws Exception {
        try (DriverSession session = open(config(""))) {
            BrokerDescription broker = session.connection().describeBroker();
            assertThat(broker.product()).isEqualTo("Apache Kafka");
            assertThat(broker.version()).isEqualTo("4.4");
            assertThat(broker.nodes()).isEqualTo(KAFKA.addresses());
            assertThat(broker.settings())
                    .containsEntry("controller", "node 1")
                    .containsKeys("cluster id", "metadata.version");
        }
    }

    // Helpers

    private static KafkaConfig config(String consumer) {
        String reset = consumer.contains("auto.offset.reset") ? "" : "auto.offset.reset=earliest\n";
        String heartbeat = consumer.contains("group.protocol=consumer") ? "" : LocalKafka.CLASSIC_HEARTBEAT;
        return KAFKA.reach(new KafkaConfig(1, "", "", "", reset + heartbeat + consumer, false));
    }

    private static DriverSession open(KafkaConfig config) throws DriverException, InterruptedException {
        return DriverSession.open(new KafkaBenchmarkDriver(), config, Patience.LIMIT);
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", String.join(",", KAFKA.addresses())));
    }
}
