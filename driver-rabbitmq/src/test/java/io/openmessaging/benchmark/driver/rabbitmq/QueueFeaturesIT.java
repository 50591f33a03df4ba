package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.arrived;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.send;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What only the broker can tell: messages that went back, and connections. So it is a broker for these tests alone. */
@Timeout(120)
class QueueFeaturesIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.with(Map.of("heartbeat", "50"));

    @ParameterizedTest
    @CsvSource({"CLASSIC, 500", "QUORUM, 500", "QUORUM, 1", "CLASSIC, 0"})
    void someMessagesGoBackOnceAndAreDeliveredOnce(QueueType type, int prefetch) throws Exception {
        int messages = 1_000;
        try (DriverSession session =
                open("queueType", type, "autoAck", false, "prefetchCount", prefetch, "requeueEvery", 10)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            List<RecordingCallback> callbacks = send(session.producer(topic), 0, messages);
            for (RecordingCallback callback : callbacks) {
                callback.awaitAcknowledged(TIMEOUT);
            }
            Arrivals.await("the subscription", 0, messages, TIMEOUT, listener).areExactly(0, messages);
            await("the metrics of the channel")
                    .atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(redelivered(topic)).isEqualTo(messages / 10));
            List<Integer> numbers = listener.messages().stream()
                    .map(message -> NumberedPayload.numberOf(message.payload()))
                    .toList();
            assertThat(numbers.indexOf(9))
                    .as("place of the first that went back")
                    .isGreaterThan(8);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    private static double redelivered(TopicSpec topic) {
        return NodeMetrics.of(
                        RABBITMQ.broker(),
                        "channel_queue_metrics",
                        "rabbitmq_detailed_channel_messages_redelivered_total")
                .get(0)
                .stream()
                .filter(sample -> sample.labels().getOrDefault("queue", "").startsWith(topic.name() + ".s-"))
                .mapToDouble(Sample::value)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(names = {"CLASSIC", "SUPER_STREAM"})
    void eachClientHasAConnectionOfItsOwnWhereThatIsWanted(QueueType type) throws Exception {
        int clients = 12;
        try (DriverSession session = open("queueType", type, "connectionPerClient", true)) {
            TopicSpec topic = session.topic(1);
            double before = connections();
            List<BenchmarkProducer> producers =
                    session.producers(Collections.nCopies(clients, topic).toArray(TopicSpec[]::new));
            List<ConsumerSpec> specs = new ArrayList<>();
            RecordingListener listener = new RecordingListener();
            for (int i = 0; i < clients; i++) {
                specs.add(session.consumerOf(topic, "s" + i, i == 0 ? listener : new RecordingListener()));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            for (int i = 0; i < clients; i++) {
                sendAcknowledged(producers.get(i), i * 10, i * 10 + 10);
            }
            assertThat(arrived(listener, clients * 10)).hasSize(clients * 10);
            // Streams have two more to find their leaders.
            await("the metrics of the connections")
                    .atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(connections() - before).isBetween(2.0 * clients, 2.0 * clients + 2));
        }
    }

    private static double connections() {
        return NodeMetrics.of(RABBITMQ.broker(), "connection_metrics", "rabbitmq_detailed_connection_channels")
                .get(0)
                .size();
    }

    private static DriverSession open(Object... keysAndValues) throws Exception {
        return DriverSession.open(new RabbitMqBenchmarkDriver(), RABBITMQ.config(keysAndValues), TIMEOUT);
    }
}
