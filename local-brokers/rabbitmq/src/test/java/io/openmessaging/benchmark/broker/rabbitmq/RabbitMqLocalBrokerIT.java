package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.FileTree;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.testkit.ListeningSockets;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;
import io.openmessaging.benchmark.broker.testkit.Starter;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the real RabbitMQ, installed on this machine or from packages fetched on first use into the checkout's own
 * cache.
 */
class RabbitMqLocalBrokerIT extends LocalBrokerContractTest {

    private static final int MESSAGES = 50;

    private static final String STREAM = "events";

    @Override
    protected LocalBroker localBroker() {
        return new RabbitMqLocalBroker();
    }

    @Override
    protected boolean isOnTheJvm() {
        return false;
    }

    /**
     * Deletes the folder, which otherwise remains after a test: it contains links that lead out of it, of which JUnit
     * would warn.
     */
    @AfterEach
    void clearAway() throws IOException {
        FileTree.delete(folder());
    }

    @Test
    void oneNodeCarriesQueuesAndStreamsAndLeavesNothingAfterClose() throws Exception {
        Set<Integer> ports = new HashSet<>();
        RunningBroker broker = start(Map.of("channel_max", "77"));
        try (broker) {
            assertThat(broker.product()).isEqualTo("RabbitMQ");
            assertThat(broker.version()).matches("\\d+\\.\\d+.*");
            assertThat(broker.addresses()).hasSize(1);
            assertThat(broker.endpoints()).containsOnlyKeys("stream", "prometheus");
            assertThat(broker.exporters()).containsOnlyKeys("rabbitmq-1");
            assertThat(broker.nodes()).extracting(RunningBroker.Node::name).containsExactly("epmd", "rabbitmq-1");
            assertThat(broker.settings())
                    .containsEntry("nodes", "1")
                    .containsEntry("channel_max", "77")
                    .containsEntry("vm_memory_high_watermark.relative", "0.40")
                    .hasEntrySatisfying(
                            "platform", platform -> assertThat(platform).startsWith("Erlang/OTP "));
            for (RunningBroker.Node node : broker.nodes()) {
                ports.addAll(ListeningSockets.ports(node.pid()));
                assertThat(ListeningSockets.beyondLoopback(node.pid())).isEmpty();
            }
            assertThat(ports).hasSize(5);

            try (Connection connection = connect(broker, 0)) {
                assertThat(connection.getChannelMax()).isEqualTo(77);
                publish(connection, "classic", Map.of());
                assertThat(take(connection, "classic")).isEqualTo(MESSAGES);
            }
            throughStream(broker, 1);
            assertThat(metrics(broker)).contains("rabbitmq_build_info");
            assertThat(broker.failure()).isEmpty();
            assertThat(broker.nodes())
                    .allSatisfy(node -> assertThat(node.log()).content().doesNotContain("[error]"));
        }

        assertNothingIsLeft(broker, ports);
    }

    @Test
    @LongSuite("starts a cluster of three nodes")
    void threeNodesAreAClusterThatSurvivesTheLossOfOne() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(options(3, Map.of()));
        try (broker) {
            ports = ports(broker);
            assertThat(broker.addresses()).hasSize(3).doesNotHaveDuplicates();
            assertThat(broker.endpoints().getOrDefault("stream", List.of()))
                    .hasSize(3)
                    .doesNotHaveDuplicates();
            assertThat(broker.settings()).containsEntry("vm_memory_high_watermark.relative", "0.13");
            throughStream(broker, 3);
            Patience.until("copies of the stream", () -> isOnEveryNode(3));

            try (Connection first = connect(broker, 0);
                    Connection third = connect(broker, 2)) {
                Map<String, Object> quorum = Map.of("x-queue-type", "quorum", "x-quorum-initial-group-size", 3);
                publish(first, "quorum", quorum);
                RunningBroker.Node second = broker.nodes().get(2);
                assertThat(second.name()).isEqualTo("rabbitmq-2");
                ProcessHandle.of(second.pid()).orElseThrow().destroyForcibly();
                Patience.until("its end", () -> !broker.endedNodes().isEmpty());
                assertThat(broker.endedNodes())
                        .singleElement()
                        .asString()
                        .startsWith("rabbitmq-2 (pid " + second.pid() + ") exited");
                assertThat(broker.failure()).isEmpty();

                publish(first, "quorum", quorum);
                assertThat(take(third, "quorum")).isEqualTo(2 * MESSAGES);
            }
        }
        assertNothingIsLeft(broker, ports);
    }

    @Test
    @LongSuite("starts another broker")
    void whoIsNotLetInIsNotReady() throws Exception {
        Map<String, String> settings = Map.of("default_user", "me", "default_pass", "mine", "default_vhost", "/here");
        try (RunningBroker broker = start(settings)) {
            String address = broker.addresses().get(0);
            assertThatThrownBy(() -> new RabbitMqLogin("guest", "guest", "/here", null).connect(address))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> new RabbitMqLogin("me", "mine", "/", null).connect(address))
                    .isInstanceOf(IOException.class);
            try (Connection connection = new RabbitMqLogin("me", "mine", "/here", null).connect(address)) {
                assertThat(connection.isOpen()).isTrue();
            }
        }
    }

    @Test
    @LongSuite("starts another broker")
    void anEntryThatRabbitMqDoesNotKnowEndsTheStartWithItsReason() {
        Map<String, String> settings = Map.of("no_such_setting", "1");

        assertThatThrownBy(() -> start(settings))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("rabbitmq-1 (pid ")
                .hasMessageContaining("unknown variable: no_such_setting")
                .hasMessageNotContaining("heap_size");
        assertThat(folder()).doesNotExist();
    }

    @Test
    @LongSuite("starts another broker")
    void livesOnUntilItIsToldToEndIfItIsToDoSo() throws Exception {
        Starter starter = startElsewhere(Lifetime.UNTIL_STOPPED);
        List<ProcessHandle> processes = starter.nodes();
        assertThat(processes).hasSize(2);

        starter.kill();

        awaitNobodyWatches();
        assertThat(processes).allMatch(ProcessHandle::isAlive);
        // All at the same time, as bin/broker does.
        processes.forEach(process -> assertThat(process.destroy()).isTrue());
        awaitNoProcessNamesTheFolder();
        assertThat(folder().resolve("rabbitmq-1/rabbitmq-1.log"))
                .content()
                .contains("SIGTERM received", "stopped TCP listener");
    }

    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        try (Connection connection = connect(broker, 0)) {
            publish(connection, "queue", Map.of());
            assertThat(take(connection, "queue")).isEqualTo(MESSAGES);
        }
        throughStream(broker, 1);
    }

    private static Connection connect(RunningBroker broker, int node) throws Exception {
        InetSocketAddress address = LocalPorts.socketAddress(broker.addresses().get(node));
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(address.getHostString());
        factory.setPort(address.getPort());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    private static void publish(Connection connection, String queue, Map<String, Object> arguments) throws Exception {
        try (Channel channel = connection.createChannel()) {
            channel.queueDeclare(queue, true, false, false, arguments);
            channel.confirmSelect();
            for (int i = 0; i < MESSAGES; i++) {
                channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, new byte[1024]);
            }
            channel.waitForConfirmsOrDie(Patience.LIMIT.toMillis());
        }
    }

    /** Removes all messages of the queue and returns their number. */
    private static int take(Connection connection, String queue) throws Exception {
        int count = 0;
        try (Channel channel = connection.createChannel()) {
            @Nullable GetResponse message = channel.basicGet(queue, true);
            while (message != null) {
                count++;
                message = channel.basicGet(queue, true);
            }
        }
        return count;
    }

    /**
     * Sends through a stream, at the address that the broker advertises to clients, and reads the stream from its
     * start.
     */
    private static void throughStream(RunningBroker broker, int members) throws Exception {
        CountDownLatch received = new CountDownLatch(MESSAGES);
        List<String> uris = broker.endpoints().getOrDefault("stream", List.of()).stream()
                .map(address -> "rabbitmq-stream://guest:guest@" + address)
                .toList();
        try (Environment environment = Environment.builder().uris(uris).build()) {
            environment.streamCreator().stream(STREAM)
                    .initialMemberCount(members)
                    .create();
            environment.consumerBuilder().stream(STREAM)
                    .offset(OffsetSpecification.first())
                    .messageHandler((context, message) -> received.countDown())
                    .build();
            try (Producer producer =
                    environment.producerBuilder().stream(STREAM).build()) {
                byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
                for (int i = 0; i < MESSAGES; i++) {
                    producer.send(producer.messageBuilder().addData(body).build(), status -> {});
                }
                Patience.await("all messages", received);
            }
        }
    }

    /** Returns whether each node stores data of the stream. */
    private boolean isOnEveryNode(int nodes) throws IOException {
        for (int id = 1; id <= nodes; id++) {
            Path streams =
                    folder().resolve("rabbitmq-" + id + "/data/" + RabbitMqClusterLayout.nodeName(id) + "/stream");
            try (Stream<Path> data = Files.list(streams)) {
                if (data.noneMatch(file -> file.toString().contains("__" + STREAM + "_"))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static String metrics(RunningBroker broker) throws Exception {
        String address =
                broker.endpoints().getOrDefault("prometheus", List.of()).get(0);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
