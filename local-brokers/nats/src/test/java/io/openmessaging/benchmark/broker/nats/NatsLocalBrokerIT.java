package io.openmessaging.benchmark.broker.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.HttpProbe;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.testkit.ListeningSockets;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;
import io.openmessaging.benchmark.suite.LongSuite;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the real NATS, from a wheel fetched on first use into the checkout's own cache. */
class NatsLocalBrokerIT extends LocalBrokerContractTest {

    @Override
    protected LocalBroker localBroker() {
        return new NatsLocalBroker();
    }

    @Override
    protected boolean isOnTheJvm() {
        return false;
    }

    @Test
    void servesClientsFromTheWheelAndLeavesNothingAfterClose() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(Map.of());
        try (broker) {
            ports = ports(broker);
            assertThat(broker.product()).isEqualTo("NATS");
            assertThat(broker.version()).startsWith("2.");
            assertThat(ProcessHandle.of(broker.nodes().get(0).pid())
                            .orElseThrow()
                            .info()
                            .command()
                            .orElseThrow())
                    .startsWith(HOME.resolve(".brokers/wheels/nats").toRealPath() + "/");
            assertThat(broker.settings())
                    .containsEntry("jetstream.sync_interval", "2m")
                    .containsEntry("nodes", "1");
            exchangeMessages(broker);
            assertThat(monitor(broker, 0, "/varz")).contains("\"sync_interval\": 120000000000");
            assertThat(broker.failure()).isEmpty();
            assertThat(broker.nodes()).singleElement().satisfies(node -> {
                assertThat(node.name()).isEqualTo("nats-1");
                assertThat(node.log()).content().contains("Server is ready");
            });
        }
        assertNothingIsLeft(broker, ports);
    }

    /** Uses the text protocol: a subscription receives what is published. */
    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(LocalPorts.socketAddress(broker.addresses().get(0)));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            socket.getOutputStream()
                    .write("CONNECT {\"verbose\":false}\r\nSUB a 1\r\nPUB a 5\r\nhello\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(lines.readLine()).startsWith("INFO {");
            String line = lines.readLine();
            while (line.startsWith("PING") || line.startsWith("INFO")) {
                line = lines.readLine();
            }
            assertThat(List.of(line, lines.readLine())).containsExactly("MSG a 1 5", "hello");
        }
    }

    @Test
    @LongSuite("starts another broker")
    void theUsersSettingsAreInForceAndTold() throws Exception {
        Map<String, String> settings = Map.of("jetstream.sync_interval", "always", "max_payload", "8MB");
        try (RunningBroker broker = start(settings)) {
            assertThat(broker.settings()).containsAllEntriesOf(settings);
            assertThat(monitor(broker, 0, "/varz"))
                    .contains("\"sync_always\": true")
                    .contains("\"max_payload\": 8388608");
        }
    }

    @Test
    @LongSuite("starts another broker")
    void anEntryThatNatsDoesNotKnowEndsTheStartWithItsReason() {
        assertThatThrownBy(() -> start(Map.of("max_payloads", "8MB")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("nats-1 (pid ")
                .hasMessageContaining("max_payloads");
        assertThat(folder()).doesNotExist();
    }

    @Test
    @LongSuite("starts three nodes")
    void threeNodesAreAClusterWithAllItsPeers() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(options(3, Map.of()));
        try (broker) {
            ports = ports(broker);
            assertThat(broker.addresses()).hasSize(3);
            for (int i = 0; i < 3; i++) {
                assertThat(monitor(broker, i, "/jsz")).contains("\"cluster_size\": 3");
                assertThat(ListeningSockets.beyondLoopback(broker.nodes().get(i).pid()))
                        .isEmpty();
            }
        }
        assertNothingIsLeft(broker, ports);
    }

    private static String monitor(RunningBroker broker, int node, String path) {
        List<String> monitors = broker.endpoints().getOrDefault("http", List.of());
        return HttpProbe.ask(monitors.get(node), path, "", null).text();
    }
}
