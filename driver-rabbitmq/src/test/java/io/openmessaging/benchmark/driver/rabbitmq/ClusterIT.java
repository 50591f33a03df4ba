package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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

    private static final int PARTITIONS = 6;
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

    /** A node's metrics have the queues and streams whose leader is there. */
    @ParameterizedTest
    @EnumSource
    void leadersAreSpreadOverTheNodes(QueueType type) throws Exception {
        RabbitMqConfig config = RABBITMQ.config("queueType", type);
        try (DriverSession session = DriverSession.open(new RabbitMqBenchmarkDriver(), config, TIMEOUT)) {
            List<TopicSpec> topics = new ArrayList<>();
            for (int i = 0; i < (type == QueueType.STREAM ? PARTITIONS : 1); i++) {
                TopicSpec topic = session.topic(PARTITIONS / (type == QueueType.STREAM ? PARTITIONS : 1));
                session.consumer(topic, "s", new RecordingListener());
                topics.add(topic);
            }
            List<String> prefixes = topics.stream().map(TopicSpec::name).toList();
            await("metrics of all queues")
                    .atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(leadersOfEachNode(prefixes)).containsOnly(PARTITIONS / 3));
        }
    }

    private static List<Integer> leadersOfEachNode(List<String> prefixes) throws Exception {
        List<Integer> leaders = new ArrayList<>();
        for (String exporter : RABBITMQ.broker().exporters().values()) {
            URI metrics = URI.create("http://" + exporter + "/metrics/detailed?family=queue_coarse_metrics");
            try (InputStream text = metrics.toURL().openStream()) {
                leaders.add((int) new String(text.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.startsWith("rabbitmq_detailed_queue_messages{"))
                        .filter(line -> prefixes.stream().anyMatch(line::contains))
                        .filter(line -> !line.contains(".subscriptions") && !line.contains(".readers"))
                        .count());
            }
        }
        return leaders;
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
