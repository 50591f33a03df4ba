package io.openmessaging.benchmark.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/** Tests the real Artemis, whose jars are fetched on first use into the checkout's own cache. */
class ArtemisLocalBrokerIT extends LocalBrokerContractTest {

    @Override
    protected LocalBroker localBroker() {
        return new ArtemisLocalBroker();
    }

    @Override
    protected String heap() {
        return "256m";
    }

    @Test
    void carriesMessagesAndLeavesNothingAfterClose() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(Map.of());
        try (broker) {
            ports = ports(broker);
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
                    .doesNotContain("ERROR", "AMQ60");
        }

        assertNothingIsLeft(broker, ports);
    }

    @Test
    @LongSuite("starts another broker")
    void aJournalOfTypeAsyncioIsUsedOrItIsSaidThatItIsNot() throws Exception {
        try (RunningBroker broker = start(Map.of("journal-type", "ASYNCIO"))) {
            assertThat(roundTrip(broker, null, null, 1000)).isEqualTo(1000);
            String log = Files.readString(broker.nodes().get(0).log());
            String inForce = String.valueOf(broker.settings().get("journal-type"));
            // The broker's own report of its journal.
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
    @LongSuite("starts another broker")
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
    @LongSuite("starts another broker")
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
                Map.entry("protocols", "CORE"),
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

    /** In AMQP, both sides first send a header that names the protocol. */
    @Test
    @LongSuite("starts another broker")
    void amqpIsSpokenWhenTheSettingsSaySo() throws Exception {
        try (RunningBroker broker = start(Map.of("protocols", "CORE,AMQP"))) {
            exchangeMessages(broker);
            InetSocketAddress address =
                    LocalPorts.socketAddress(broker.addresses().get(0));
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                byte[] greeting = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
                socket.setSoTimeout((int) Patience.LIMIT.toMillis());
                socket.getOutputStream().write(greeting);
                assertThat(socket.getInputStream().readNBytes(greeting.length)).isEqualTo(greeting);
            }
        }
    }

    @Test
    @LongSuite("starts another broker")
    void aValueThatOnlyTheBrokerCanJudgeEndsTheStartWithTheReason() {
        assertThatThrownBy(() -> start(Map.of("journal-min-files", "1")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("artemis-1 (pid ")
                .hasMessageContaining("minFiles cannot be less than 2");
        assertThat(folder()).doesNotExist();
    }

    @Test
    @LongSuite("starts two nodes")
    void theBackupHasNoOpenPortUntilTheLiveNodeIsGone() throws Exception {
        RunningBroker broker = start(options(2, Map.of()));
        Set<Integer> ports;
        try (broker) {
            ports = ports(broker);
            assertThat(broker.addresses()).hasSize(2);
            assertThat(broker.nodes()).extracting(RunningBroker.Node::name).containsExactly("artemis-1", "artemis-2");
            assertThat(broker.settings()).containsEntry("nodes", "live and backup, replicated");
            String live = broker.addresses().get(0);
            String backup = broker.addresses().get(1);
            assertThat(roundTrip(live, null, null, 1000)).isEqualTo(1000);
            assertThat(LocalPorts.listens(backup)).isFalse();

            broker.kill("artemis-1");
            Patience.until("the backup", () -> LocalPorts.listens(backup));
            assertThat(LocalPorts.listens(live)).isFalse();
            assertThat(broker.failure()).isEmpty();
        }
        assertNothingIsLeft(broker, ports);
    }

    @Test
    void moreThanTwoNodesAndUnknownSettingsAreRefused() {
        assertThatThrownBy(() -> start(options(3, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(
                        "the local Artemis has one node, or two of which one is the backup of the other; 3 cannot be"
                                + " started");
        assertThatThrownBy(() -> start(options(2, Map.of("persistence-enabled", "false"))))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("the backup of a local Artemis copies what the live node writes, so two nodes need"
                        + " 'persistence-enabled' to be true");
        assertThatThrownBy(() -> start(Map.of("jurnal-type", "NIO")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageContaining("has no setting 'jurnal-type'");
        assertThat(folder()).doesNotExist();
    }

    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        assertThat(roundTrip(broker, null, null, 1024)).isEqualTo(1024);
    }

    /** Returns the node's open files, as reported by Linux; the node may close some meanwhile. */
    private static List<String> openFiles(RunningBroker broker) throws IOException {
        List<String> targets = new ArrayList<>();
        Path links = Path.of("/proc", Long.toString(broker.nodes().get(0).pid()), "fd");
        try (Stream<Path> files = Files.list(links)) {
            for (Path file : files.filter(Files::isSymbolicLink).toList()) {
                try {
                    targets.add(Files.readSymbolicLink(file).toString());
                } catch (NoSuchFileException e) {
                    // The file was closed after the folder was read.
                }
            }
        }
        return targets;
    }

    /** Sends a durable message and returns the size of the message that is received. */
    private static int roundTrip(RunningBroker broker, @Nullable String user, @Nullable String password, int bytes)
            throws Exception {
        return roundTrip(broker.addresses().get(0), user, password, bytes);
    }

    private static int roundTrip(String address, @Nullable String user, @Nullable String password, int bytes)
            throws Exception {
        SimpleString topic = SimpleString.of("round-trip");
        try (ServerLocator locator = ActiveMQClient.createServerLocator("tcp://" + address);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(user, password, false, true, true, false, 0)) {
            session.createAddress(topic, RoutingType.MULTICAST, false);
            session.createQueue(QueueConfiguration.of(topic).setRoutingType(RoutingType.MULTICAST));
            session.start();
            try (ClientProducer producer = session.createProducer(topic);
                    ClientConsumer consumer = session.createConsumer(topic)) {
                ClientMessage message = session.createMessage(true);
                message.getBodyBuffer().writeBytes(new byte[bytes]);
                producer.send(message);
                @Nullable ClientMessage received = consumer.receive(Patience.LIMIT.toMillis());
                assertThat(received).as("the message").isNotNull();
                return received.getBodyBuffer().readableBytes();
            }
        }
    }
}
