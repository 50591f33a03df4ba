package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three nodes, so that connections go to several of them and leaders are where they want to be. */
@Timeout(180)
class ClusterIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.cluster(3);

    private static final int PRODUCERS = 4;
    private static final int CONSUMERS = 4;
    private static final int MESSAGES_PER_PRODUCER = 500;

    @ParameterizedTest
    @EnumSource
    void twoSubscriptionsEachGetEverythingOnce(QueueType type) throws Exception {
        RabbitMqConfig config = RABBITMQ.config("queueType", type);
        try (DriverSession session = DriverSession.open(new RabbitMqBenchmarkDriver(), config, TIMEOUT)) {
            assertThat(session.connection().describeBroker().nodes()).hasSize(3);
            TopicSpec topic = session.topic(type == QueueType.STREAM ? 1 : 6);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 2 * CONSUMERS; i++) {
                listeners.add(new RecordingListener());
                specs.add(session.consumerOf(topic, i < CONSUMERS ? "first" : "second", listeners.get(i)));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            sendAll(session.producers(topic, topic, topic, topic));
            gotEverythingOnce("the first subscription", listeners.subList(0, CONSUMERS));
            gotEverythingOnce("the second subscription", listeners.subList(CONSUMERS, 2 * CONSUMERS));
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    private static void sendAll(List<BenchmarkProducer> producers) throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = 0; i < producers.size(); i++) {
            callbacks.addAll(send(producers.get(i), i * MESSAGES_PER_PRODUCER, (i + 1) * MESSAGES_PER_PRODUCER));
        }
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }

    private static void gotEverythingOnce(String subscription, List<RecordingListener> listeners)
            throws InterruptedException {
        int messages = PRODUCERS * MESSAGES_PER_PRODUCER;
        Arrivals.await(subscription, 0, messages, TIMEOUT, listeners.toArray(RecordingListener[]::new))
                .areExactly(0, messages);
    }
}
