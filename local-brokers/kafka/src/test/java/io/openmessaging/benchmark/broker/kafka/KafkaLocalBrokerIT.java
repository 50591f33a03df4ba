package io.openmessaging.benchmark.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;

/** Tests the real Kafka, whose jars are fetched on first use into the checkout's own cache. */
class KafkaLocalBrokerIT extends LocalBrokerContractTest {

    private static final int NODES = 3;

    @Override
    protected LocalBroker localBroker() {
        return new KafkaLocalBroker();
    }

    @Override
    protected String heap() {
        return "256m";
    }

    @Test
    @LongSuite("starts a cluster of three nodes")
    void threeNodesCarryMessagesAndLeaveNothingAfterClose() throws Exception {
        carryMessages(options(NODES, Map.of()), NODES, "256m", broker -> {});
    }

    @Test
    void oneNodeTakesLargeMessagesAndTransactionsAsWell() throws Exception {
        int size = 8 * 1024 * 1024;
        carryMessages(options(1, 0, null, Map.of()), 1, "512m", broker -> {
            createTopic(broker, "large", 1);
            send(broker, "large", 3, size, Map.of("max.request.size", 2 * size, "transactional.id", "writer"));
            assertThat(receive(broker, "large", 3)).hasSize(3).allMatch(value -> value.length == size);
        });
    }

    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        createTopic(broker, "plain", 1);
        send(broker, "plain", 10, 1024, Map.of("acks", "all"));
        assertThat(receive(broker, "plain", 10)).hasSize(10);
    }

    private void carryMessages(LocalBrokerOptions options, int nodes, String heap, ThrowingConsumer<RunningBroker> more)
            throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(options);
        try (broker) {
            assertThat(broker.product()).isEqualTo("Apache Kafka");
            assertThat(broker.version()).startsWith("4.");
            assertThat(broker.addresses()).hasSize(nodes);
            assertThat(broker.nodes()).hasSize(nodes);
            assertThat(broker.settings()).containsEntry("heap", heap).containsEntry("nodes", Integer.toString(nodes));
            // Ports for clients and for the quorum.
            ports = ports(broker);
            assertThat(ports).hasSizeGreaterThanOrEqualTo(nodes);

            createTopic(broker, "plain", nodes);
            send(broker, "plain", 100, 1024, Map.of("acks", "all"));
            assertThat(receive(broker, "plain", 100)).hasSize(100).allMatch(value -> value.length == 1024);
            more.accept(broker);

            assertThat(broker.failure()).isEmpty();
            for (RunningBroker.Node node : broker.nodes()) {
                // On a busy machine, the nodes elect a controller more than once, and log errors during the start.
                String[] beforeAndAfter = Files.readString(node.log()).split("Kafka Server started", 2);
                assertThat(beforeAndAfter)
                        .as("the start of %s, and after", node)
                        .hasSize(2);
                assertThat(beforeAndAfter[1]).doesNotContain(" ERROR ");
            }
        }

        assertNothingIsLeft(broker, ports);
    }

    private static void createTopic(RunningBroker broker, String topic, int replicas) throws Exception {
        try (Admin admin = Admin.create(connection(broker))) {
            Patience.get(
                    "topic " + topic,
                    admin.createTopics(List.of(new NewTopic(topic, 4, (short) replicas)))
                            .all()
                            .toCompletionStage()
                            .toCompletableFuture());
        }
    }

    private static void send(RunningBroker broker, String topic, int count, int size, Map<String, Object> config)
            throws Exception {
        Map<String, Object> all = connection(broker);
        all.putAll(config);
        boolean transactional = config.containsKey("transactional.id");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer())) {
            if (transactional) {
                producer.initTransactions();
                producer.beginTransaction();
            }
            for (int i = 0; i < count; i++) {
                Patience.get("message " + i, producer.send(new ProducerRecord<>(topic, new byte[size])));
            }
            if (transactional) {
                producer.commitTransaction();
            }
        }
    }

    private static List<byte[]> receive(RunningBroker broker, String topic, int count) {
        Map<String, Object> config = connection(broker);
        config.putAll(Map.of(
                "group.id",
                "readers-of-" + topic,
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed"));
        List<byte[]> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            Patience.until(count + " messages of " + topic, () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
                return values.size() >= count;
            });
        }
        return values;
    }

    private static Map<String, Object> connection(RunningBroker broker) {
        return new HashMap<>(Map.of("bootstrap.servers", String.join(",", broker.addresses())));
    }
}
