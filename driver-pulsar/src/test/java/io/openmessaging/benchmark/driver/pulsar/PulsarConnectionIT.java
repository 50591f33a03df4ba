package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.ReceivedMessage;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.PulsarClientException.ProducerQueueIsFullError;
import org.apache.pulsar.common.policies.data.PersistencePolicies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to Pulsar and not in the contract of all drivers. */
@Timeout(120)
class PulsarConnectionIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration AT_ONCE = Duration.ofSeconds(8);

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
                                    + " 3, ack quorum 2: there are no more bookies than 1");
        }
    }

    @Test
    void aTokenThatIsSignedByNobodyIsRefusedAtOnce() {
        String forged = LocalPulsar.token(
                "bench", "another key, which the broker does not know".getBytes(StandardCharsets.UTF_8));
        assertRefused(
                PULSAR.reach(TestConfigs.of(""), new Login(LocalPulsar.TOKENS, "token:" + forged)),
                "Could not reach Pulsar at " + PULSAR.broker().addresses().get(0) + ": ",
                "authenticat");
    }

    @Test
    void noTokenAtAllIsRefusedAtOnce() {
        assertRefused(
                PULSAR.reach(TestConfigs.of(""), new Login(null, null)),
                "Could not reach Pulsar at " + PULSAR.broker().addresses().get(0) + ": ",
                "authenticate");
    }

    @Test
    void anAdministrationThatIsNotThereIsNamedAtOnce() {
        PulsarConfig config = driver.withEndpoint(PULSAR.reach(TestConfigs.of("")), "http", List.of("127.0.0.1:1"));
        assertRefused(config, "Could not reach Pulsar's administration at http://127.0.0.1:1: ", "refused");
    }

    private void assertRefused(PulsarConfig config, String beginning, String reason) {
        long startNs = System.nanoTime();
        assertThatThrownBy(() -> driver.connect(config, new DriverContext("run", TIMEOUT, new RecordingEvents())))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith(beginning)
                .hasMessageContaining(reason)
                .message()
                .hasLineCount(1);
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(AT_ONCE);
    }

    // Topics and their namespace

    @Test
    void moreCopiesThanBookiesAreRefusedAtOnce() throws Exception {
        PulsarConfig strict = PULSAR.reach(TestConfigs.of(""))
                .withClient(Map.of("persistence", new Persistence(3, 3, 2, false, false, null)));
        try (DriverSession session = DriverSession.open(driver, strict, TIMEOUT)) {
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("three", 1))))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("asks for more bookies than there are")
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
                            + " (client.clusterName), there is local");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTopicThatIsThereWithOtherPartitionsIsRefusedAtOnce(int partitions) throws Exception {
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
        try (PulsarAdmin admin = PulsarClients.admin(config.client(), TIMEOUT)) {
            try (PulsarConnection connection =
                    PulsarConnection.open(config, new DriverContext(runId, TIMEOUT, new RecordingEvents()))) {
                connection.createTopics(topics);
                assertThat(admin.namespaces().getPersistence(namespace))
                        .isEqualTo(new PersistencePolicies(1, 1, 1, 1.0));
                assertThat(admin.namespaces().getDeduplicationStatus(namespace)).isTrue();
                assertThat(admin.namespaces()
                                .getInactiveTopicPolicies(namespace)
                                .isDeleteWhileInactive())
                        .isFalse();
                connection.deleteTopics(topics);
                assertThat(admin.topics().getList(namespace)).isEmpty();
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
    void hundredsOfProducersAreThereInSeconds() throws Exception {
        try (DriverSession session = open("")) {
            TopicSpec topic = session.topic(1);
            long startNs = System.nanoTime();
            session.producers(Collections.nCopies(300, topic).toArray(TopicSpec[]::new));
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(25));
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
                    callback.awaitAcknowledged(TIMEOUT);
                }
                assertThat(listener.awaitMessages(sizes.length, TIMEOUT))
                        .as("sizes with compression %s", compression)
                        .extracting(message -> message.payload().length)
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.of(sizes).boxed().toList());
                assertNumbers(listener.messages(), 0, sizes.length);
            }
        }
    }

    @Test
    void aMessageLargerThanTheBrokerTakesFailsWithPulsarsReason() throws Exception {
        try (DriverSession session = open("")) {
            RecordingCallback callback = new RecordingCallback("6 MiB");
            session.producer(session.topic(1)).send(null, new byte[6 * 1024 * 1024], callback);
            assertThat(callback.awaitFailed(TIMEOUT)).hasMessageContaining("5242880 bytes");
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
            send(producer, 0, 2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            send(producer, 2, 4);
            listener.awaitMessages(2, TIMEOUT);
            listener.awaitQuiet(Duration.ofMillis(500), TIMEOUT);
            return listener.messages().stream()
                    .map(message -> NumberedPayload.numberOf(message.payload()))
                    .toList();
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
            send(producer, 0, 100);
            before.awaitMessages(100, TIMEOUT);
            session.close(first);
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            send(producer, 100, 200);
            after.awaitMessages(100, TIMEOUT);
            after.awaitQuiet(Duration.ofMillis(300), TIMEOUT);
            assertNumbers(after.messages(), 100, 200);
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
            send(producer, 0, 100);
            session.close(first);
            assertThat(paused.messages()).isEmpty();
            RecordingListener next = new RecordingListener();
            session.consumer(topic, "s", next);
            assertNumbers(next.awaitMessages(100, TIMEOUT), 0, 100);
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
            // The first one was closed again.
            session.consumer(topic, "s", new RecordingListener());
        }
    }

    private DriverSession open(String yaml) throws DriverException, InterruptedException {
        return DriverSession.open(driver, PULSAR.reach(TestConfigs.of(yaml)), TIMEOUT);
    }

    private static void send(BenchmarkProducer producer, int from, int until) throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send("key-" + i, NumberedPayload.of(i, 100), callback);
        }
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }

    private static void assertNumbers(List<ReceivedMessage> messages, int from, int until) {
        assertThat(messages)
                .extracting(message -> NumberedPayload.numberOf(message.payload()))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(from, until).boxed().toList());
    }
}
