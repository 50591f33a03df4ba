package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a thousand topics with one producer and one consumer each, on a handful of Kafka's clients. */
@LongSuite("creates a thousand topics")
class ManyTopicsIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    /** More topics than fit into one request. */
    private static final int TOPICS = 1100;

    private static final String RUN = "manytopics";

    private final RecordingEvents events = new RecordingEvents();

    @Test
    void eachProducerReachesTheConsumerOfItsTopic() throws Exception {
        KafkaConfig config = KAFKA.reach(new KafkaConfig(
                1,
                "",
                "",
                "",
                LocalKafka.CLASSIC_HEARTBEAT + "auto.offset.reset=earliest",
                false,
                GroupType.CONSUMER,
                List.of(),
                null,
                new KafkaSharedClients(2, 2)));
        List<TopicSpec> topics = IntStream.range(0, TOPICS)
                .mapToObj(i -> new TopicSpec(RUN + "-" + i, 1))
                .toList();
        List<RecordingListener> listeners = new ArrayList<>();
        topics.forEach(topic -> listeners.add(new RecordingListener()));
        try (DriverConnection connection =
                new KafkaBenchmarkDriver().connect(config, new DriverContext(RUN, Patience.LIMIT, events))) {
            connection.createTopics(topics);
            List<BenchmarkConsumer> consumers = connection.createConsumers(IntStream.range(0, TOPICS)
                    .mapToObj(i -> new ConsumerSpec(i, topics.get(i), "s", listeners.get(i)))
                    .toList());
            List<BenchmarkProducer> producers = connection.createProducers(IntStream.range(0, TOPICS)
                    .mapToObj(i -> new ProducerSpec(i, topics.get(i)))
                    .toList());
            assertThat(clientThreads()).as("threads of the run's clients").isLessThan(20);

            sendTwice(producers, listeners);

            for (BenchmarkProducer producer : producers) {
                producer.close();
            }
            for (BenchmarkConsumer consumer : consumers) {
                consumer.close();
            }
            connection.deleteTopics(topics);
        }
        assertThat(events.fatals()).isEmpty();
        assertThat(events.clientErrors()).isEmpty();
        try (Admin admin = Admin.create(RawRecords.connection(KAFKA.addresses()))) {
            // The queried broker learns of the deletion a moment after the controller.
            Patience.await("the broker to have heard of the end of all topics")
                    .untilAsserted(
                            () -> assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith(RUN)));
            assertThat(admin.listGroups().all().get())
                    .noneMatch(group -> group.groupId().startsWith(RUN));
        }
    }

    private static void sendTwice(List<BenchmarkProducer> producers, List<RecordingListener> listeners)
            throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < TOPICS; i++) {
                RecordingCallback callback = new RecordingCallback("message " + round + " of producer " + i);
                callbacks.add(callback);
                producers.get(i).send(null, NumberedPayload.of(i, 100), callback);
            }
        }
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(Patience.LIMIT);
        }
        for (int i = 0; i < TOPICS; i++) {
            int number = i;
            assertThat(listeners.get(i).awaitMessages(2, Patience.LIMIT))
                    .as("messages of topic %d", number)
                    .hasSize(2)
                    .allMatch(message -> NumberedPayload.numberOf(message.payload()) == number);
        }
    }

    /**
     * Counts client threads. Kafka names its producers' threads by the client; consumers' threads are ours, and those
     * of the groups' heartbeats.
     */
    private static long clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getName().contains(RUN) || thread.getName().startsWith("kafka-shared-"))
                .count();
    }
}
