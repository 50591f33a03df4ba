package io.openmessaging.benchmark.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With the real Artemis, whose jars are fetched on first use into the checkout's own cache. */
@Timeout(600)
class ArtemisLocalBrokerIT {

    private static final Path HOME = Path.of(System.getProperty("benchmark.home"));

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path temp;

    @Test
    void carriesMessagesAndLeavesNothingAfterClose() throws Exception {
        RunningBroker broker = start(Map.of());
        try (broker) {
            assertThat(broker.product()).isEqualTo("Apache Artemis");
            assertThat(broker.version()).matches("2\\.\\d+\\.\\d+");
            assertThat(broker.addresses()).hasSize(1);
            assertThat(broker.nodes()).hasSize(1);
            assertThat(broker.settings())
                    .containsEntry("heap", "256m")
                    .containsEntry("journal-type", "NIO")
                    .containsEntry("persistence-enabled", "true")
                    .containsKeys("journal-buffer-timeout", "data file system")
                    .doesNotContainKey("journal-type asked for");

            assertThat(roundTrip(broker, null, null, 5 << 20)).isEqualTo(5 << 20);

            assertThat(broker.failure()).isEmpty();
            assertThat(folder().resolve("artemis-1/data/journal")).isDirectory();
            assertThat(broker.nodes().get(0).log())
                    .content()
                    .contains("Server is now")
                    .doesNotContain("ERROR");
        }

        assertThat(ProcessHandle.of(broker.nodes().get(0).pid())).isEmpty();
        assertNobodyListens(broker.addresses().get(0));
        assertThat(folder()).doesNotExist();
    }

    @Test
    void aJournalOfTypeAsyncioIsUsedOrItIsSaidThatItIsNot() throws Exception {
        try (RunningBroker broker = start(Map.of("journal-type", "ASYNCIO"))) {
            assertThat(roundTrip(broker, null, null, 1000)).isEqualTo(1000);
            String log = Files.readString(broker.nodes().get(0).log());
            String inForce = String.valueOf(broker.settings().get("journal-type"));
            // What the broker itself says of it.
            if (log.contains("Using AIO Journal")) {
                assertThat(inForce).isEqualTo("ASYNCIO");
                assertThat(broker.settings()).doesNotContainKey("journal-type asked for");
                assertThat(openFiles(broker))
                        .filteredOn(file -> file.contains("artemisJLHandler_"))
                        .as("the native library's own file, outside of the broker's folder")
                        .isNotEmpty()
                        .allMatch(file -> file.endsWith(" (deleted)"));
            } else {
                assertThat(log).contains("Using NIO Journal");
                assertThat(inForce).isEqualTo("NIO");
                assertThat(broker.settings()).containsEntry("journal-type asked for", "ASYNCIO");
            }
        }
    }

    @Test
    void inMemoryNothingIsWritten() throws Exception {
        try (RunningBroker broker = start(Map.of("persistence-enabled", "false"))) {
            assertThat(roundTrip(broker, null, null, 1000)).isEqualTo(1000);
            assertThat(broker.settings())
                    .containsEntry("journal-type", "none, in memory")
                    .containsEntry("persistence-enabled", "false");
            assertThat(folder().resolve("artemis-1/data/journal")).doesNotExist();
        }
    }

    @Test
    void everySettingIsOneThatTheBrokerTakes() throws Exception {
        Map<String, String> settings = Map.ofEntries(
                Map.entry("journal-type", "MAPPED"),
                Map.entry("journal-file-size", "2M"),
                Map.entry("journal-min-files", "3"),
                Map.entry("journal-pool-files", "10"),
                Map.entry("journal-buffer-size", "512K"),
                Map.entry("journal-buffer-timeout", "1000000"),
                Map.entry("journal-max-io", "1"),
                Map.entry("journal-datasync", "false"),
                Map.entry("journal-sync-transactional", "false"),
                Map.entry("journal-sync-non-transactional", "false"),
                Map.entry("large-message-sync", "false"),
                Map.entry("page-sync-timeout", "1000000"),
                Map.entry("global-max-size", "64M"),
                Map.entry("global-max-messages", "1000000"),
                Map.entry("min-disk-free", "1M"),
                Map.entry("max-disk-usage", "99"),
                Map.entry("thread-pool-max-size", "20"),
                Map.entry("security-enabled", "true"),
                Map.entry("user", "bench"),
                Map.entry("password", "right=1"),
                Map.entry("acceptor-parameters", "tcpNoDelay=true;batchDelay=0"),
                Map.entry("address-full-policy", "PAGE"),
                Map.entry("max-size-bytes", "20Mb"),
                Map.entry("max-size-messages", "100000"),
                Map.entry("max-size-bytes-reject-threshold", "-1"),
                Map.entry("page-size-bytes", "1M"),
                Map.entry("page-limit-bytes", "1G"),
                Map.entry("page-limit-messages", "1000000"),
                Map.entry("max-read-page-bytes", "2M"),
                Map.entry("max-delivery-attempts", "5"),
                Map.entry("default-consumer-window-size", "1048576"),
                Map.entry("default-group-buckets", "16"),
                Map.entry("auto-create-addresses", "true"),
                Map.entry("auto-create-queues", "true"),
                Map.entry("persistence-enabled", "true"));
        assertThat(settings.keySet())
                .as("settings tried")
                .containsExactlyInAnyOrderElementsOf(BrokerSettings.knownKeys());
        try (RunningBroker broker = start(settings)) {
            assertThat(roundTrip(broker, "bench", "right=1", 1000)).isEqualTo(1000);
            assertThatThrownBy(() -> roundTrip(broker, "bench", "wrong", 1000))
                    .hasMessageContaining("Unable to validate user");
            assertThat(broker.settings())
                    .containsEntry("journal-type", "MAPPED")
                    .containsEntry("user", "bench")
                    .doesNotContainKey("password");
        }
    }

    @Test
    void killedStarterLeavesNoNodeAndNoFolder() throws Exception {
        Process starter = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ArtemisStarter.class.getName(),
                        HOME.toString(),
                        folder().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] started = starter.inputReader().readLine().split(" ");
        ProcessHandle node = ProcessHandle.of(Long.parseLong(started[0])).orElseThrow();

        starter.destroyForcibly().waitFor();

        await("end of the node").atMost(LIMIT).until(() -> node.info().command().isEmpty());
        await("removal of the folder").atMost(LIMIT).until(() -> !Files.exists(folder()));
        assertNobodyListens(started[1]);
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LoopbackPorts.HOST))) {
            assertThatThrownBy(() -> new ArtemisLocalBroker().start(options(1, taken.getLocalPort(), null, Map.of())))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(folder()).doesNotExist();
    }

    @Test
    void aHeapThatIsTooSmallEndsTheStartWithTheReason() {
        assertThatThrownBy(() -> new ArtemisLocalBroker().start(options(1, 0, "1m", Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("artemis-1 (pid ")
                .hasMessageContaining("heap");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void aValueThatOnlyTheBrokerCanJudgeEndsTheStartWithTheReason() {
        assertThatThrownBy(() -> start(Map.of("journal-min-files", "1")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("artemis-1 (pid ")
                .hasMessageContaining("minFiles cannot be less than 2");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void severalNodesAndUnknownSettingsAreRefused() {
        assertThatThrownBy(() -> new ArtemisLocalBroker().start(options(3, 0, null, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("the local Artemis has one node, 3 cannot be started");
        assertThatThrownBy(() -> start(Map.of("jurnal-type", "NIO")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageContaining("knows no setting 'jurnal-type'");
        assertThat(folder()).doesNotExist();
    }

    private RunningBroker start(Map<String, String> settings) throws LocalBrokerException, InterruptedException {
        return new ArtemisLocalBroker().start(options(1, 0, "256m", settings));
    }

    private LocalBrokerOptions options(int nodes, int port, @Nullable String heap, Map<String, String> settings) {
        return new LocalBrokerOptions(
                nodes, heap, HOME, folder(), port, Lifetime.WITH_STARTER, System.out::println, settings);
    }

    private Path folder() {
        return temp.resolve("artemis");
    }

    /** Of the node, as Linux tells it. */
    private static List<String> openFiles(RunningBroker broker) throws IOException {
        List<String> targets = new ArrayList<>();
        Path links = Path.of("/proc", Long.toString(broker.nodes().get(0).pid()), "fd");
        try (Stream<Path> files = Files.list(links)) {
            for (Path file : files.filter(Files::isSymbolicLink).toList()) {
                targets.add(Files.readSymbolicLink(file).toString());
            }
        }
        return targets;
    }

    private static void assertNobodyListens(String address) {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        assertThatThrownBy(() -> new Socket(LoopbackPorts.HOST, port).close()).isInstanceOf(ConnectException.class);
    }

    /** Sends a durable message and returns the size of the one that comes back. */
    private static int roundTrip(RunningBroker broker, @Nullable String user, @Nullable String password, int bytes)
            throws Exception {
        SimpleString address = SimpleString.of("round-trip");
        try (ServerLocator locator = ActiveMQClient.createServerLocator(
                        "tcp://" + broker.addresses().get(0));
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(user, password, false, true, true, false, 0)) {
            session.createAddress(address, RoutingType.MULTICAST, false);
            session.createQueue(QueueConfiguration.of(address).setRoutingType(RoutingType.MULTICAST));
            session.start();
            try (ClientProducer producer = session.createProducer(address);
                    ClientConsumer consumer = session.createConsumer(address)) {
                ClientMessage message = session.createMessage(true);
                message.getBodyBuffer().writeBytes(new byte[bytes]);
                producer.send(message);
                @Nullable ClientMessage received = consumer.receive(LIMIT.toMillis());
                assertThat(received).as("the message").isNotNull();
                return received.getBodyBuffer().readableBytes();
            }
        }
    }
}
