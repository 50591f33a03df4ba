package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Nats;
import io.nats.client.api.StreamState;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Retention;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what the contract does not, on one server. */
class NatsConnectionIT {

    private static final String IN_PROCESS =
            "{\"error\":{\"code\":409,\"err_code\":10158,\"description\":\"duplicate message id is in process\"}}";

    @RegisterExtension
    static final LocalNats NATS = new LocalNats();

    private static DriverSession open(Map<String, ?> keys) throws Exception {
        return DriverSession.open(new NatsBenchmarkDriver(), NATS.config(keys), TIMEOUT);
    }

    private static StreamState stateOf(TopicSpec topic) throws Exception {
        Connection connection = Nats.connect("nats://" + NATS.addresses().get(0));
        try {
            return connection.jetStreamManagement().getStreamInfo(topic.name()).getStreamState();
        } finally {
            connection.close();
        }
    }

    @Test
    void aWorkQueueForgetsWhatWasAcknowledged() throws Exception {
        try (DriverSession session = open(Map.of("retention", Retention.WORK_QUEUE))) {
            TopicSpec topic = session.topic(2);
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            session.consumers(session.consumerOf(topic, "s", first), session.consumerOf(topic, "s", second));
            sendAcknowledged(session.producer(topic), 0, 500, 100);

            assertGotAll(List.of(first, second), 0, 500);
            Patience.until("an empty queue", () -> stateOf(topic).getMsgCount() == 0);
            assertThat(session.connection().createReaders(List.of(session.consumerOf(topic, "r", first))))
                    .isEmpty();
        }
    }

    @Test
    void aWorkQueueHasOneSubscription() throws Exception {
        try (DriverSession session = open(Map.of("retention", Retention.WORK_QUEUE))) {
            TopicSpec topic = session.topic(1);

            assertThatThrownBy(() -> session.consumers(
                            session.consumerOf(topic, "a", new RecordingListener()),
                            session.consumerOf(topic, "b", new RecordingListener())))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("use subscriptionsPerTopic: 1");
        }
    }

    @Test
    void aStreamKeepsTheNewestMessages() throws Exception {
        try (DriverSession session = open(Map.of("maxMessages", 30))) {
            TopicSpec topic = session.topic(1);
            sendAcknowledged(session.producer(topic), 0, 100, 100);

            assertThat(stateOf(topic).getMsgCount()).isEqualTo(30);
            assertThat(stateOf(topic).getFirstSequence()).isEqualTo(71);
        }
    }

    @Test
    void aStreamThatIsGoneIsTheReasonOfAFailure() throws Exception {
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            session.connection().deleteTopics(List.of(topic));

            RecordingCallback callback = new RecordingCallback("a message");
            producer.send(null, new byte[10], callback);

            assertThat(callback.awaitFailed(TIMEOUT)).hasMessageContaining("no stream takes the message");
        }
    }

    @Test
    void messagesTravelWithAWindowOfOne() throws Exception {
        for (NatsMode mode : NatsMode.values()) {
            try (DriverSession session = open(Map.of("window", 1, "mode", mode))) {
                TopicSpec topic = session.topic(1);
                RecordingListener listener = new RecordingListener();
                session.consumer(topic, "s", listener);
                sendAcknowledged(session.producer(topic), 0, 50, 100);
                assertGotAll(List.of(listener), 0, 50);
            }
        }
    }

    @Test
    void aServerMayBeGivenByItsName() throws Exception {
        NatsConfig named = NATS.config(Map.of())
                .withServers(List.of(NATS.addresses().get(0).replaceFirst(".*:", "localhost:")));
        try (DriverSession session = DriverSession.open(new NatsBenchmarkDriver(), named, TIMEOUT)) {
            sendAcknowledged(session.producer(session.topic(1)), 0, 10, 100);
        }
    }

    /** Without ids, the stream would store each message twice. */
    @Test
    void aStreamRecognisesWhatItHas() throws Exception {
        try (DriverSession session = open(Map.of("deduplicate", true))) {
            TopicSpec topic = session.topic(1);
            StreamProducer producer = (StreamProducer) session.producer(topic);
            sendAcknowledged(producer, 0, 100, 100);
            for (int i = 100; i < 200; i++) {
                producer.send(null, NumberedPayload.of(i, 100), new RecordingCallback("message " + i));
                producer.regained();
            }
            session.close(producer);

            assertThat(stateOf(topic).getMsgCount()).isEqualTo(200);
        }
    }

    /** A subscriber answers in place of the stream, as a cluster does that has not yet stored what was sent before. */
    @Test
    void aMessageThatTheStreamStillStoresIsSentAgain() throws Exception {
        try (DriverSession session = open(Map.of("deduplicate", true))) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            session.connection().deleteTopics(List.of(topic));
            List<String> ids = new CopyOnWriteArrayList<>();
            Connection stream = Nats.connect("nats://" + NATS.addresses().get(0));
            try {
                Dispatcher answers = stream.createDispatcher(message -> {
                    ids.add(message.getHeaders().getFirst("Nats-Msg-Id"));
                    String answer = ids.size() < 3 ? IN_PROCESS : "{\"stream\":\"s\",\"seq\":1}";
                    stream.publish(message.getReplyTo(), answer.getBytes(StandardCharsets.US_ASCII));
                });
                answers.subscribe(Subjects.of(topic)[0]);
                stream.flush(TIMEOUT);

                RecordingCallback callback = new RecordingCallback("a message");
                producer.send(null, new byte[10], callback);

                callback.awaitAcknowledged(TIMEOUT);
                assertThat(ids).hasSize(3);
                assertThat(Set.copyOf(ids)).hasSize(1);
            } finally {
                stream.close();
            }
        }
    }

    @Test
    void theMonitoringEndpointTellsWhatTheServerUsesAndHas() throws Exception {
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(1);
            sendAcknowledged(session.producer(topic), 0, 100, 100);
            List<NodeFigures> figures = new NatsBenchmarkDriver().nodeFigures(NATS.config(Map.of()), TIMEOUT);

            assertThat(figures).singleElement().satisfies(node -> {
                assertThat(node.address()).isEqualTo(NATS.addresses().get(0));
                Map<String, Double> read = node.read();
                assertThat(read.get(NatsMonitor.SERVER + "mem")).isGreaterThan(1_000_000);
                assertThat(read.get(NatsMonitor.SERVER + "in_bytes")).isGreaterThan(10_000);
                assertThat(read.get(NatsMonitor.MESSAGES)).isGreaterThanOrEqualTo(100);
            });
            assertThat(session.connection().describeBroker().settings()).containsEntry("sync_interval", "120s");
        }
    }

    @Test
    void clientsShareConnections() throws Exception {
        try (DriverSession session = open(Map.of("maxConnections", 2))) {
            TopicSpec topic = session.topic(1);
            List<RecordingListener> listeners =
                    IntStream.range(0, 5).mapToObj(i -> new RecordingListener()).toList();
            session.consumers(listeners.stream()
                    .map(listener -> session.consumerOf(topic, "s", listener))
                    .toArray(ConsumerSpec[]::new));
            List<BenchmarkProducer> producers = session.producers(topic, topic, topic, topic, topic);
            for (int i = 0; i < 5; i++) {
                sendAcknowledged(producers.get(i), 100 * i, 100 * (i + 1), 100);
            }
            assertGotAll(listeners, 0, 500);
        }
    }
}
