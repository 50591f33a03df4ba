package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests runs with topics that existed before them. */
class ExistingTopicsIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    /** Contains a dot, which topics of a run never do. */
    private final String prefix = "orders." + UUID.randomUUID() + ".";

    @Test
    void olderMessagesAreNotDeliveredAndTheTopicsStay() throws Exception {
        String a = create("a", 2, Map.of());
        String b = create("b", 2, Map.of());
        try (Admin admin = admin()) {
            try (DriverSession session = open(a, b)) {
                List<TopicSpec> topics = List.of(session.existing(a, 2), session.existing(b, 2));
                sendAll(session.producer(topics.get(0)), 0, 50, i -> "key-" + i);
                RecordingListener onA = new RecordingListener();
                RecordingListener onB = new RecordingListener();
                BenchmarkConsumer consumer = session.consumer(topics.get(0), "s", onA);
                session.consumer(topics.get(1), "s", onB);
                sendAll(session.producer(topics.get(0)), 50, 100, i -> "key-" + i);
                sendAll(session.producer(topics.get(1)), 100, 150, i -> "key-" + i);
                assertThat(numbers(onA.awaitMessages(50, Patience.LIMIT)))
                        .containsExactlyInAnyOrderElementsOf(range(50, 100));
                assertThat(numbers(onB.awaitMessages(50, Patience.LIMIT)))
                        .containsExactlyInAnyOrderElementsOf(range(100, 150));
                session.close(consumer);
                assertThat(session.events().clientErrors()).isEmpty();
            }
            assertThat(Patience.get("the topics", admin.listTopics().names()))
                    .contains(a, b)
                    .noneMatch(name -> name.startsWith("Test_topic-") && name.contains(a));
            assertThat(Patience.get("the groups", admin.listGroups().all()))
                    .extracting(GroupListing::groupId)
                    .noneMatch(id -> id.contains(a));
        }
        assertThat(RawRecords.read(KAFKA.addresses(), a, 100)).hasSize(100);
    }

    @Test
    void ofATopicWithMorePartitionsTheFirstAreUsed() throws Exception {
        String wide = create("wide", 5, Map.of());
        try (DriverSession session = open(wide)) {
            TopicSpec topic = session.existing(wide, 2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            sendAll(producer, 0, 50, i -> "key-" + i);
            sendAll(producer, 50, 100, i -> null);
            List<ReceivedMessage> messages = listener.awaitMessages(100, Patience.LIMIT);
            assertThat(numbers(messages)).containsExactlyInAnyOrderElementsOf(range(0, 100));
            assertThat(messages).extracting(ReceivedMessage::partition).containsOnly(0, 1);
            assertThat(session.connection().leaders(List.of(topic)))
                    .isEqualTo(List.of(
                            List.of(KAFKA.addresses().get(0), KAFKA.addresses().get(0))));
        }
    }

    @Test
    void readersGetTheMessagesOfAllPartitions() throws Exception {
        String wide = create("wide", 5, Map.of());
        try (DriverSession session = open(wide)) {
            TopicSpec all = session.existing(wide, 5);
            sendAll(session.producer(all), 0, 100, i -> "key-" + i);
            TopicSpec first = session.existing(wide, 1);
            RecordingListener listener = new RecordingListener();
            session.readers(session.consumerOf(first, "s", listener));
            List<ReceivedMessage> messages = listener.awaitMessages(100, Patience.LIMIT);
            assertThat(numbers(messages)).containsExactlyInAnyOrderElementsOf(range(0, 100));
            assertThat(messages).extracting(ReceivedMessage::partition).contains(0, 1, 2, 3, 4);
        }
    }

    @Test
    void aTopicThatIsNotThereIsRefused() throws Exception {
        String missing = prefix + "missing";
        try (DriverSession session = open(missing)) {
            assertThatThrownBy(() -> session.existing(missing, 1))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not use the topic '" + missing
                            + "', which existingTopics names: no topic has that name");
        }
    }

    @Test
    void tooFewPartitionsAreRefused() throws Exception {
        String narrow = create("narrow", 2, Map.of());
        try (DriverSession session = open(narrow)) {
            assertThatThrownBy(() -> session.existing(narrow, 3))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not use the topic '" + narrow
                            + "', which existingTopics names: it has 2 partitions, and the workload asks for 3");
        }
    }

    @Test
    void theGuaranteeIsTheLeastOfTheTopics() throws Exception {
        String synced = create("synced", 1, Map.of("flush.messages", "1"));
        String written = create("written", 1, Map.of());
        assertThat(guaranteeOf(synced).storage()).isEqualTo(Guarantee.Storage.SYNCED);
        assertThat(guaranteeOf(synced, written).storage()).isEqualTo(Guarantee.Storage.WRITTEN);
        assertThat(guaranteeOf(synced, written).copies()).isEqualTo(1);
    }

    private static Guarantee guaranteeOf(String... topics) throws Exception {
        try (DriverSession session = open(topics)) {
            return Objects.requireNonNull(session.connection().describeBroker().guarantee());
        }
    }

    private String create(String name, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = admin()) {
            Patience.get(
                    "the topic",
                    admin.createTopics(List.of(new NewTopic(prefix + name, partitions, (short) 1).configs(settings)))
                            .all());
            // The controller has the topic; the broker, which answers for the driver, learns of it a little later.
            Patience.await("the broker to know the topic")
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> admin.describeTopics(List.of(prefix + name))
                                    .allTopicNames()
                                    .get()
                                    .size()
                            == 1);
        }
        return prefix + name;
    }

    private static Admin admin() {
        return Admin.create(RawRecords.connection(KAFKA.addresses()));
    }

    private static DriverSession open(String... topics) throws Exception {
        // Users' files contain such a setting; the driver overrides where consumers start.
        String consumerConfig = LocalKafka.CLASSIC_HEARTBEAT + "auto.offset.reset=earliest";
        KafkaConfig config = new KafkaConfig(
                null, "", "", "", consumerConfig, false, GroupType.CONSUMER, List.of(topics), null, null);
        return DriverSession.open(new KafkaBenchmarkDriver(), KAFKA.reach(config), Patience.LIMIT);
    }

    private static void sendAll(BenchmarkProducer producer, int from, int until, IntFunction<@Nullable String> keyOf)
            throws Exception {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send(keyOf.apply(i), NumberedPayload.of(i, 100), callback);
        }
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(Patience.LIMIT);
        }
    }

    private static List<Integer> numbers(List<ReceivedMessage> messages) {
        return messages.stream()
                .map(message -> NumberedPayload.numberOf(message.payload()))
                .toList();
    }

    private static List<Integer> range(int from, int until) {
        return IntStream.range(from, until).boxed().toList();
    }
}
