package io.openmessaging.benchmark.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.IOException;
import java.io.Reader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the real Kafka, whose jars are fetched on first use into the checkout's own cache. */
@Timeout(600)
class KafkaLocalBrokerIT {

    private static final Path HOME = Path.of(System.getProperty("benchmark.home"));

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void carriesMessagesAndLeavesNothingAfterClose(int nodes) throws Exception {
        List<Integer> ports;
        RunningBroker broker = new KafkaLocalBroker().start(options(nodes, 0, "256m"));
        try (broker) {
            assertThat(broker.product()).isEqualTo("Apache Kafka");
            assertThat(broker.version()).startsWith("4.");
            assertThat(broker.addresses()).hasSize(nodes);
            assertThat(broker.nodes()).hasSize(nodes);
            assertThat(broker.settings()).containsEntry("heap", "256m").containsEntry("nodes", Integer.toString(nodes));
            ports = ports(nodes);
            assertThat(ports).hasSize(2 * nodes).doesNotHaveDuplicates();

            createTopic(broker, "plain", nodes);
            send(broker, "plain", 100, 1024, Map.of("acks", "all"));
            assertThat(receive(broker, "plain", 100)).hasSize(100).allMatch(value -> value.length == 1024);

            assertThat(broker.failure()).isEmpty();
            assertThat(broker.nodes())
                    .allSatisfy(node -> assertThat(node.log())
                            .content()
                            .contains("Kafka Server started")
                            .doesNotContain(" ERROR "));
        }

        assertThat(broker.nodes())
                .allSatisfy(node -> assertThat(ProcessHandle.of(node.pid())).isEmpty());
        assertThat(ports).allSatisfy(KafkaLocalBrokerIT::assertNobodyListens);
        assertThat(folder()).doesNotExist();
    }

    @Test
    void takesLargeMessagesAndTransactions() throws Exception {
        int size = 8 * 1024 * 1024;
        try (RunningBroker broker = new KafkaLocalBroker().start(options(1, 0, null))) {
            createTopic(broker, "large", 1);
            send(broker, "large", 3, size, Map.of("max.request.size", 2 * size, "transactional.id", "writer"));
            assertThat(receive(broker, "large", 3)).hasSize(3).allMatch(value -> value.length == size);
        }
    }

    @Test
    void killedStarterLeavesNoNodeAndNoFolder() throws Exception {
        Process starter = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaStarter.class.getName(),
                        HOME.toString(),
                        folder().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<ProcessHandle> nodes = Arrays.stream(
                        starter.inputReader().readLine().split(" "))
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                .toList();
        List<Integer> ports = ports(3);

        starter.destroyForcibly().waitFor();

        await("end of the nodes")
                .atMost(LIMIT)
                .until(() ->
                        nodes.stream().noneMatch(node -> node.info().command().isPresent()));
        await("removal of the folder").atMost(LIMIT).until(() -> !Files.exists(folder()));
        assertThat(ports).allSatisfy(KafkaLocalBrokerIT::assertNobodyListens);
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LoopbackPorts.HOST))) {
            assertThatThrownBy(() -> new KafkaLocalBroker().start(options(1, taken.getLocalPort(), null)))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(folder()).doesNotExist();
    }

    @Test
    void aHeapThatIsTooSmallEndsTheStartWithTheReason() {
        assertThatThrownBy(() -> new KafkaLocalBroker().start(options(1, 0, "1m")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("kafka-1 (pid ")
                .hasMessageContaining("heap");
        assertThat(folder()).doesNotExist();
    }

    private LocalBrokerOptions options(int nodes, int firstPort, @Nullable String heap) {
        return options(nodes, firstPort, heap, Map.of());
    }

    private LocalBrokerOptions options(int nodes, int firstPort, @Nullable String heap, Map<String, String> settings) {
        return new LocalBrokerOptions(
                nodes, heap, HOME, folder(), firstPort, Lifetime.WITH_STARTER, System.out::println, settings);
    }

    private Path folder() {
        return temp.resolve("kafka");
    }

    /** Those of the clients and of the quorum, from the nodes' own configuration. */
    private List<Integer> ports(int nodes) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int id = 1; id <= nodes; id++) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(folder().resolve("kafka-" + id + "/server.properties"))) {
                properties.load(reader);
            }
            for (String listener : properties.getProperty("listeners").split(",")) {
                ports.add(Integer.parseInt(listener.substring(listener.lastIndexOf(':') + 1)));
            }
        }
        return ports;
    }

    /** The system closes the sockets of a killed process when it gets to it. */
    private static void assertNobodyListens(int port) {
        await("the end of port " + port)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThatThrownBy(() -> new Socket(LoopbackPorts.HOST, port).close())
                        .isInstanceOf(ConnectException.class));
    }

    private static void createTopic(RunningBroker broker, String topic, int replicas) throws Exception {
        try (Admin admin = Admin.create(connection(broker))) {
            admin.createTopics(List.of(new NewTopic(topic, 4, (short) replicas)))
                    .all()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
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
                producer.send(new ProducerRecord<>(topic, new byte[size])).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            if (transactional) {
                producer.commitTransaction();
            }
        }
    }

    private static List<byte[]> receive(RunningBroker broker, String topic, int count) {
        Map<String, Object> config = connection(broker);
        config.putAll(
                Map.of("group.id", "readers", "auto.offset.reset", "earliest", "isolation.level", "read_committed"));
        List<byte[]> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            long deadlineNs = System.nanoTime() + LIMIT.toNanos();
            while (values.size() < count && System.nanoTime() < deadlineNs) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    private static Map<String, Object> connection(RunningBroker broker) {
        return new HashMap<>(Map.of("bootstrap.servers", String.join(",", broker.addresses())));
    }
}
