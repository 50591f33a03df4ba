package io.openmessaging.benchmark.broker.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** With the real Pulsar, whose jars are fetched on first use into the checkout's own cache. */
@Timeout(600)
class PulsarLocalBrokerIT {

    private static final Path HOME = Path.of(System.getProperty("benchmark.home"));

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String TOPIC = "persistent://public/default/plain";

    @TempDir
    Path temp;

    @Test
    @EnabledOnOs(OS.LINUX)
    void carriesMessagesOnLoopbackAndLeavesNothingAfterClose() throws Exception {
        List<Integer> ports;
        RunningBroker broker = new PulsarLocalBroker().start(options(1, 0, "256m", Map.of()));
        try (broker) {
            assertThat(broker.product()).isEqualTo("Apache Pulsar");
            assertThat(broker.version()).startsWith("4.");
            assertThat(broker.settings())
                    .containsEntry("heap", "256m")
                    .containsEntry("bookies", "1")
                    .containsEntry("journalSyncData", "false");
            ports = List.of(port(broker.addresses()), port(broker.endpoints().get("http")));

            carry(broker, 100, 1024);

            long pid = broker.nodes().get(0).pid();
            assertThat(ListeningSockets.addresses(pid)).hasSizeGreaterThanOrEqualTo(3);
            assertThat(ListeningSockets.beyondLoopback(pid)).isEmpty();
            assertThat(broker.failure()).isEmpty();
        }

        assertThat(broker.nodes())
                .allSatisfy(node -> assertThat(ProcessHandle.of(node.pid())).isEmpty());
        assertThat(ports).allSatisfy(PulsarLocalBrokerIT::assertNobodyListens);
        assertThat(folder()).doesNotExist();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void storesSeveralCopiesAndTakesSettings() throws Exception {
        Map<String, String> copies = Map.of(
                "managedLedgerDefaultEnsembleSize", "3",
                "managedLedgerDefaultWriteQuorum", "3",
                "managedLedgerDefaultAckQuorum", "2",
                "maxMessageSize", "2000");
        try (RunningBroker broker = new PulsarLocalBroker().start(options(3, 0, null, copies))) {
            assertThat(broker.settings()).containsAllEntriesOf(copies).containsEntry("bookies", "3");
            carry(broker, 100, 1024);
            assertThatThrownBy(() -> carry(broker, 1, 3000)).isInstanceOf(PulsarClientException.class);
            assertThat(ListeningSockets.beyondLoopback(broker.nodes().get(0).pid()))
                    .isEmpty();
        }
    }

    @Test
    void killedStarterLeavesNoNodeAndNoFolder() throws Exception {
        Process starter = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PulsarStarter.class.getName(),
                        HOME.toString(),
                        folder().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] words = starter.inputReader().readLine().split(" ");
        ProcessHandle node = ProcessHandle.of(Long.parseLong(words[0])).orElseThrow();

        starter.destroyForcibly().waitFor();

        await("end of the node").atMost(LIMIT).until(() -> node.info().command().isEmpty());
        await("removal of the folder").atMost(LIMIT).until(() -> !Files.exists(folder()));
        assertNobodyListens(port(List.of(words[1])));
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LoopbackPorts.HOST))) {
            assertThatThrownBy(() -> new PulsarLocalBroker().start(options(1, taken.getLocalPort(), null, Map.of())))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(folder()).doesNotExist();
    }

    @Test
    void aHeapThatIsTooSmallEndsTheStartWithTheReason() {
        assertThatThrownBy(() -> new PulsarLocalBroker().start(options(1, 0, "1m", Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("pulsar-1 (pid ")
                .hasMessageContaining("heap");
        assertThat(folder()).doesNotExist();
    }

    private LocalBrokerOptions options(int nodes, int firstPort, @Nullable String heap, Map<String, String> settings) {
        return new LocalBrokerOptions(
                nodes, heap, HOME, folder(), firstPort, Lifetime.WITH_STARTER, System.out::println, settings);
    }

    private Path folder() {
        return temp.resolve("pulsar");
    }

    private static int port(@Nullable List<String> addresses) {
        assertThat(addresses).hasSize(1);
        String address = addresses.get(0);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private static void assertNobodyListens(int port) {
        assertThatThrownBy(() -> new Socket(LoopbackPorts.HOST, port).close()).isInstanceOf(ConnectException.class);
    }

    private static void carry(RunningBroker broker, int count, int size) throws Exception {
        try (PulsarClient client = PulsarClient.builder()
                        .serviceUrl("pulsar://" + broker.addresses().get(0))
                        .build();
                Consumer<byte[]> consumer =
                        client.newConsumer().topic(TOPIC).subscriptionName("s").subscribe();
                Producer<byte[]> producer = client.newProducer().topic(TOPIC).create()) {
            for (int i = 0; i < count; i++) {
                producer.send(new byte[size]);
            }
            for (int i = 0; i < count; i++) {
                Message<byte[]> message = consumer.receive((int) LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(message).as("message %d of %d", i, count).isNotNull();
                assertThat(message.getData()).hasSize(size);
                consumer.acknowledge(message);
            }
        }
    }
}
