package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.send;
import static io.openmessaging.benchmark.suite.Patience.await;
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
import io.openmessaging.benchmark.suite.LongSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests with three nodes, so that leaders are spread and connections go to several nodes. */
@LongSuite("starts a cluster of three nodes")
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

    /** A node's metrics contain the queues and streams whose leader it has. */
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
                    .untilAsserted(() -> assertThat(leadersOfEachNode(prefixes)).containsOnly(PARTITIONS / 3));
            Map<String, Long> told = session.connection().leaders(topics).stream()
                    .flatMap(List::stream)
                    .collect(Collectors.groupingBy(node -> node, Collectors.counting()));
            assertThat(told.keySet()).containsExactlyInAnyOrderElementsOf(RABBITMQ.addresses());
            assertThat(told.values()).containsOnly(PARTITIONS / 3L);
        }
    }

    private static List<Integer> leadersOfEachNode(List<String> prefixes) {
        return NodeMetrics.of(RABBITMQ.broker(), "queue_coarse_metrics", "rabbitmq_detailed_queue_messages").stream()
                .map(samples -> (int) samples.stream()
                        .map(sample -> sample.labels().getOrDefault("queue", ""))
                        .filter(queue -> prefixes.stream().anyMatch(queue::contains))
                        .filter(queue -> !queue.contains(".subscriptions") && !queue.contains(".readers"))
                        .count())
                .toList();
    }

    /** A node's metrics contain the channels of its own connections, and their traffic to and from each queue. */
    @ParameterizedTest
    @EnumSource(names = {"CLASSIC", "QUORUM"})
    void clientsConnectToTheNodeThatLeadsTheirQueue(QueueType type) throws Exception {
        RabbitMqConfig config = RABBITMQ.config("queueType", type, "clientsAtLeader", true);
        try (DriverSession session = DriverSession.open(new RabbitMqBenchmarkDriver(), config, TIMEOUT);
                DriverSession worker = session.openOfSameRun(new RabbitMqBenchmarkDriver(), config, TIMEOUT)) {
            TopicSpec topic = session.topic(PARTITIONS);
            List<RecordingListener> listeners = new ArrayList<>();
            for (int i = 0; i < CONSUMERS; i++) {
                listeners.add(new RecordingListener(Duration.ofNanos(100_000)));
            }
            worker.consumers(listeners.stream()
                    .map(listener -> worker.consumerOf(topic, "first", listener))
                    .toArray(ConsumerSpec[]::new));
            sendAll(session.producers(topic, topic, topic, topic));
            gotEverythingOnce("the subscription", listeners);
            assertThat(listeners).allMatch(listener -> listener.overlaps() == 0);
            List<String> leaders = session.connection().leaders(List.of(topic)).get(0);
            for (int node = 0; node < 3; node++) {
                String address = RABBITMQ.addresses().get(node);
                List<String> ledHere = IntStream.range(0, PARTITIONS)
                        .filter(partition -> leaders.get(partition).equals(address))
                        .mapToObj(partition -> topic.name() + ".first-" + partition)
                        .toList();
                assertThat(ledHere).as("queues led by %s", address).hasSize(PARTITIONS / 3);
                queuesOfChannelsAre(ledHere, node, topic, "rabbitmq_detailed_queue_messages_published_total");
                queuesOfChannelsAre(ledHere, node, topic, "rabbitmq_detailed_channel_messages_delivered_ack_total");
            }
        }
    }

    private static void queuesOfChannelsAre(List<String> expected, int node, TopicSpec topic, String series) {
        await("what channels of node " + node + " have moved")
                .untilAsserted(() -> assertThat(NodeMetrics.of(
                                        RABBITMQ.broker(),
                                        "channel_queue_metrics&family=channel_queue_exchange_metrics",
                                        series)
                                .get(node)
                                .stream()
                                .map(sample -> sample.labels().getOrDefault("queue", ""))
                                .filter(queue -> queue.startsWith(topic.name()))
                                .distinct()
                                .sorted())
                        .as("%s of node %d", series, node)
                        .isEqualTo(expected));
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
