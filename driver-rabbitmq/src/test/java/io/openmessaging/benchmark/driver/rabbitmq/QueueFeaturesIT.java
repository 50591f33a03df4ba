package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.send;
import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which messages return to the queue, which only the broker can report. */
class QueueFeaturesIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

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

    private static DriverSession open(Object... keysAndValues) throws Exception {
        return DriverSession.open(new RabbitMqBenchmarkDriver(), RABBITMQ.config(keysAndValues), TIMEOUT);
    }
}
