package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.numbersOf;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.pulsar.ClientConfig.PulsarLogin;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.PulsarClientException.ProducerQueueIsFullError;
import org.apache.pulsar.common.policies.data.PersistencePolicies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of behaviour specific to Pulsar, beyond the contract of all drivers. */
class PulsarConnectionIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

    private final PulsarBenchmarkDriver driver = new PulsarBenchmarkDriver();

    // Connecting

    @Test
    void theBrokerIsDescribed() throws Exception {
        try (DriverSession session = open("")) {
            BrokerDescription description = session.connection().describeBroker();
            assertThat(description.product()).isEqualTo("Apache Pulsar");
            assertThat(description.version()).isEqualTo(PULSAR.broker().version());
            assertThat(description.nodes())
                    .isEqualTo(PULSAR.broker().endpoints().get("http"));
            assertThat(description.settings())
                    .containsEntry("bookies", "1")
                    .containsEntry("topic type", "persistent")
                    .containsEntry(
                            "persistence",
                            "ensemble size 1, write quorum 1, ack quorum 1; lowered from ensemble size 3, write quorum"
                                    + " 3, ack quorum 2, because the number of bookies is 1");
        }
    }

    @Test
    void theStorageOfAnExistingTopicIsThatOfItsNamespace() throws Exception {
        String topic = "persistent://public/default/existing" + System.nanoTime();
        PulsarConfig config = PULSAR.reach(TestConfigs.of("existingTopics: ['" + topic + "']"));
        try (PulsarAdmin admin = PulsarClients.admin(config.client(), Patience.LIMIT)) {
            admin.topics().createNonPartitionedTopic(topic);
            try (DriverSession session = DriverSession.open(driver, config, Patience.LIMIT)) {
                assertThat(session.connection().describeBroker().settings())
                        .containsEntry("persistence", "ensemble size 1, write quorum 1, ack quorum 1");
            } finally {
                admin.topics().delete(topic);
            }
        }
    }

    @Test
    void aTokenThatIsSignedByNobodyIsRefused() {
        String forged = LocalPulsar.token(
                "bench", "another key, which the broker does not know".getBytes(StandardCharsets.UTF_8));
        assertRefused(
                PULSAR.reach(TestConfigs.of(""), new PulsarLogin(LocalPulsar.TOKENS, "token:" + forged)),
                "Could not reach Pulsar at " + PULSAR.broker().addresses().get(0) + ": ",
                "authenticat");
    }

    @Test
    void noTokenAtAllIsRefused() {
        assertRefused(
                PULSAR.reach(TestConfigs.of(""), new PulsarLogin(null, null)),
                "Could not reach Pulsar at " + PULSAR.broker().addresses().get(0) + ": ",
                "authenticate");
    }

    @Test
    void anAdministrationThatIsNotThereIsNamed() {
        PulsarConfig config = driver.withEndpoint(PULSAR.reach(TestConfigs.of("")), "http", List.of("127.0.0.1:1"));
        assertRefused(config, "Could not reach Pulsar's administration at http://127.0.0.1:1: ", "refused");
    }

    private void assertRefused(PulsarConfig config, String beginning, String reason) {
        assertThatThrownBy(
                        () -> driver.connect(config, new DriverContext("run", Patience.LIMIT, new RecordingEvents())))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith(beginning)
                .hasMessageContaining(reason)
                .message()
                .hasLineCount(1);
    }

    // Topics and their namespace

    @Test
    void moreCopiesThanBookiesAreRefused() throws Exception {
        PulsarConfig strict = PULSAR.reach(TestConfigs.of(""))
                .withClient(Map.of("persistence", new Persistence(3, 3, 2, false, false, null)));
        try (DriverSession session = DriverSession.open(driver, strict, Patience.LIMIT)) {
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("three", 1))))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("requires more bookies than exist")
                    .hasMessageContaining("ensemble size 3, write quorum 3, ack quorum 2")
                    .hasMessageContaining("Pulsar has 1");
        }
    }

    @Test
    void aClusterThatIsNotThereIsNamed() throws Exception {
        try (DriverSession session = open("client: {namespacePrefix: elsewhere/ns, clusterName: moon}")) {
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("t", 1))))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the tenant 'elsewhere': there is no cluster 'moon'"
                            + " (client.clusterName), only local");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTopicThatIsThereWithOtherPartitionsIsRefused(int partitions) throws Exception {
        try (DriverSession session = open("")) {
            TopicSpec topic = session.topic(partitions);
            TopicSpec wider = new TopicSpec(topic.name(), 5);
            assertThatThrownBy(() -> session.connection().createTopics(List.of(wider)))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the topic '" + topic.name() + "' (partitions 5):"
                            + " one of that name already exists, with " + partitions + " partitions");
        }
    }

    @Test
    void theNamespaceHasThePoliciesOfTheFileAndGoesWithItsTopics() throws Exception {
        String runId = "policies" + System.nanoTime();
        String namespace = "benchmark/ns-" + runId;
        PulsarConfig config = PULSAR.reach(TestConfigs.of("client: {persistence: {deduplicationEnabled: true}}"));
        List<TopicSpec> topics = List.of(new TopicSpec("a", 1), new TopicSpec("b", 3));
        try (PulsarAdmin admin = PulsarClients.admin(config.client(), Patience.LIMIT)) {
            try (PulsarConnection connection =
                    PulsarConnection.open(config, new DriverContext(runId, Patience.LIMIT, new RecordingEvents()))) {
                connection.createTopics(topics);
                assertThat(admin.namespaces().getPersistence(namespace))
                        .isEqualTo(new PersistencePolicies(1, 1, 1, 1.0));
                assertThat(admin.namespaces().getDeduplicationStatus(namespace)).isTrue();
                assertThat(admin.namespaces()
                                .getInactiveTopicPolicies(namespace)
                                .isDeleteWhileInactive())
                        .isFalse();
                connection.deleteTopics(topics);
                // The broker answers from a cache, which learns of the end of a topic a little later.
                Patience.until(
                        "topics to be gone",
                        () -> admin.topics().getList(namespace).isEmpty());
            }
            assertThat(admin.namespaces().getNamespaces("benchmark")).doesNotContain(namespace);
        }
    }

    @Test
    void aMissingTopicIsAnErrorThatNamesItAndLeavesNoProducerBehind() throws Exception {
        try (DriverSession session = open("")) {
            TopicSpec there = session.topic(1);
            TopicSpec missing = new TopicSpec("missing", 1);
            assertThatThrownBy(() -> session.producers(there, there, missing))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not create a producer of topic 'missing': ");
        }
    }

    @Test
    void hundredsOfProducersAreCreatedInOneCall() throws Exception {
        try (DriverSession session = open("")) {
            TopicSpec topic = session.topic(1);
            assertThat(session.producers(Collections.nCopies(300, topic).toArray(TopicSpec[]::new)))
                    .hasSize(300);
        }
    }

    // Messages

    @Test
    void messagesFromTenBytesToFourMebibytesArrive() throws Exception {
        int[] sizes = {10, 100, 1024, 10 * 1024, 100 * 1024, 1024 * 1024, 4 * 1024 * 1024};
        for (String compression : List.of("NONE", "LZ4", "ZSTD", "ZLIB", "SNAPPY")) {
            try (DriverSession session = open("producer: {compression: " + compression + "}")) {
                TopicSpec topic = session.topic(2);
                RecordingListener listener = new RecordingListener();
                session.consumer(topic, "s", listener);
                BenchmarkProducer producer = session.producer(topic);
                for (int i = 0; i < sizes.length; i++) {
                    RecordingCallback callback = new RecordingCallback(sizes[i] + " bytes");
                    producer.send("key-" + i, NumberedPayload.of(i, sizes[i]), callback);
                    callback.awaitAcknowledged(Patience.LIMIT);
                }
                assertThat(listener.awaitMessages(sizes.length, Patience.LIMIT))
                        .as("sizes with compression %s", compression)
                        .extracting(message -> message.payload().length)
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.of(sizes).boxed().toList());
                assertGotAll(List.of(listener), 0, sizes.length);
            }
        }
    }

    @Test
    void aMessageLargerThanTheBrokerTakesFailsWithPulsarsReason() throws Exception {
        try (DriverSession session = open("")) {
            RecordingCallback callback = new RecordingCallback("6 MiB");
            session.producer(session.topic(1)).send(null, new byte[6 * 1024 * 1024], callback);
            assertThat(callback.awaitFailed(Patience.LIMIT)).hasMessageContaining("5242880 bytes");
        }
    }

    @Test
    void aFullQueueIsAFailureOfTheMessageUnlessASendIsToWait() throws Exception {
        try (DriverSession session = open("producer: {blockIfQueueFull: false, pendingQueueSize: 2}")) {
            List<RecordingCallback> callbacks = new ArrayList<>();
            BenchmarkProducer producer = session.producer(session.topic(1));
            for (int i = 0; i < 200; i++) {
                callbacks.add(new RecordingCallback("message " + i));
                producer.send(null, new byte[1024], callbacks.get(i));
            }
            session.close(producer);
            assertThat(callbacks).allMatch(callback -> callback.calls() == 1, "called exactly once");
            assertThat(callbacks).filteredOn(c -> c.acknowledgements() == 1).hasSizeGreaterThanOrEqualTo(2);
            assertThat(callbacks)
                    .flatExtracting(RecordingCallback::failures)
                    .isNotEmpty()
                    .hasOnlyElementsOfType(ProducerQueueIsFullError.class);
        }
    }

    // Consumers

    @Test
    void earliestBeginsWithWhatWasSentBefore() throws Exception {
        assertThat(numbersFromASubscriptionMadeInBetween("Earliest")).containsExactly(0, 1, 2, 3);
    }

    @Test
    void latestBeginsWithWhatIsSentFromThenOn() throws Exception {
        assertThat(numbersFromASubscriptionMadeInBetween("Latest")).containsExactly(2, 3);
    }

    private List<Integer> numbersFromASubscriptionMadeInBetween(String position) throws Exception {
        try (DriverSession session = open("consumer: {initialPosition: " + position + "}")) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 2, 100);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(producer, 2, 4, 100);
            Patience.until(
                    "the last message", () -> numbersOf(listener.messages()).contains(3));
            return numbersOf(listener.messages());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ackMode: INDIVIDUAL",
                "ackMode: CUMULATIVE",
                "ackGroupTimeMs: 0",
                "subscriptionType: Exclusive, ackMode: CUMULATIVE",
                "subscriptionType: Shared"
            })
    void whatWasDeliveredIsNotDeliveredAgainToAConsumerThatTakesOver(String consumer) throws Exception {
        try (DriverSession session = open("consumer: {" + consumer + "}")) {
            TopicSpec topic = session.topic(3);
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
    void whatAPausedConsumerHoldsGoesToTheNextWhenItIsClosed() throws Exception {
        try (DriverSession session = open("")) {
            TopicSpec topic = session.topic(2);
            BenchmarkProducer producer = session.producer(topic);
            RecordingListener paused = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", paused);
            first.pause();
            sendAcknowledged(producer, 0, 100, 100);
            session.close(first);
            assertThat(paused.messages()).isEmpty();
            RecordingListener next = new RecordingListener();
            session.consumer(topic, "s", next);
            assertGotAll(List.of(next), 0, 100);
        }
    }

    @Test
    void aSecondConsumerOfAnExclusiveSubscriptionIsRefusedWithPulsarsReason() throws Exception {
        try (DriverSession session = open("consumer: {subscriptionType: Exclusive}")) {
            TopicSpec topic = session.topic(1);
            ConsumerSpec first = session.consumerOf(topic, "s", new RecordingListener());
            ConsumerSpec second = session.consumerOf(topic, "s", new RecordingListener());
            assertThatThrownBy(() -> session.consumers(first, second))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith(
                            "Could not attach a consumer to topic '" + topic.name() + "', subscription 's': ")
                    .hasMessageContaining("Exclusive consumer is already connected");
            // The first consumer was closed again.
            session.consumer(topic, "s", new RecordingListener());
        }
    }

    private DriverSession open(String yaml) throws DriverException, InterruptedException {
        return DriverSession.open(driver, PULSAR.reach(TestConfigs.of(yaml)), Patience.LIMIT);
    }
}
