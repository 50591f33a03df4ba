package io.openmessaging.benchmark.broker.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With the real RocketMQ, whose jars are fetched on first use into the checkout's own cache. */
@Timeout(600)
class RocketMqLocalBrokerIT {

    private static final Path HOME = Path.of(System.getProperty("benchmark.home"));

    private static final Duration AT_ONCE = Duration.ofSeconds(5);
    private static final int CALL_LIMIT_MS = 5_000;

    @TempDir
    Path temp;

    @Test
    void servesOnLoopbackAndLeavesNothingAfterClose() throws Exception {
        List<Integer> ports;
        RunningBroker broker = start(0, Map.of("flushDiskType", "SYNC_FLUSH"));
        try (broker) {
            assertThat(broker.product()).isEqualTo("Apache RocketMQ");
            assertThat(broker.version()).isEqualTo("5.5.0");
            assertThat(broker.endpoints()).containsOnlyKeys("grpc");
            assertThat(broker.nodes())
                    .extracting(RunningBroker.Node::name)
                    .containsExactly("rocketmq-namesrv", "rocketmq-broker");
            assertThat(broker.settings()).containsEntry("heap", "512m").containsEntry("flushDiskType", "SYNC_FLUSH");
            assertThat(flushDiskType(broker)).isEqualTo("SYNC_FLUSH");
            ports = ports(broker);
            for (int port : ports) {
                assertOnlyOnLoopback(port);
            }
            // Where RocketMQ would wait for replicas.
            assertNobodyListens(LoopbackPorts.HOST, listenPort() + 1);
            assertThat(broker.failure()).isEmpty();
            long startNs = System.nanoTime();
            broker.close();
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(AT_ONCE);
        }
        assertThat(broker.nodes())
                .allSatisfy(node -> assertThat(ProcessHandle.of(node.pid())).isEmpty());
        for (int port : ports) {
            assertNobodyListens(LoopbackPorts.HOST, port);
        }
        assertThat(folder()).doesNotExist();
    }

    @Test
    void aSettingThatRocketMqDoesNotKnowIsRefused() {
        assertThatThrownBy(() -> start(0, Map.of("flushDiscType", "SYNC_FLUSH")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageContaining("RocketMQ's broker.conf has no such setting: flushDiscType");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void severalNodesAreRefused() {
        assertThatThrownBy(() -> new RocketMqLocalBroker()
                        .start(new LocalBrokerOptions(
                                3, null, HOME, folder(), 0, Lifetime.WITH_STARTER, System.out::println, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageEndingWith("nodes must be 1, got 3");
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LoopbackPorts.HOST))) {
            assertThatThrownBy(() -> start(taken.getLocalPort(), Map.of()))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(folder()).doesNotExist();
    }

    private RunningBroker start(int firstPort, Map<String, String> settings) throws Exception {
        return new RocketMqLocalBroker()
                .start(new LocalBrokerOptions(
                        1, null, HOME, folder(), firstPort, Lifetime.WITH_STARTER, System.out::println, settings));
    }

    private Path folder() {
        return temp.resolve("rocketmq");
    }

    private static String flushDiskType(RunningBroker broker) throws Exception {
        MQClientAPIImpl client = new MQClientAPIImpl(new NettyClientConfig(), null, null, new ClientConfig());
        client.updateNameServerAddressList(broker.addresses().get(0));
        client.start();
        try {
            String address = client.getBrokerClusterInfo(CALL_LIMIT_MS).getBrokerAddrTable().values().stream()
                    .map(BrokerData::selectBrokerAddr)
                    .findFirst()
                    .orElseThrow();
            return client.getBrokerConfig(address, CALL_LIMIT_MS).getProperty("flushDiskType");
        } finally {
            client.shutdown();
        }
    }

    private int listenPort() throws IOException {
        Properties config = new Properties();
        try (var reader = Files.newBufferedReader(folder().resolve("rocketmq-broker/broker.conf"))) {
            config.load(reader);
        }
        return Integer.parseInt(config.getProperty("listenPort"));
    }

    private List<Integer> ports(RunningBroker broker) throws IOException {
        List<String> addresses = new ArrayList<>(broker.addresses());
        broker.endpoints().values().forEach(addresses::addAll);
        List<Integer> ports = new ArrayList<>(List.of(listenPort(), listenPort() - 2));
        addresses.forEach(address -> ports.add(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1))));
        return ports;
    }

    private static void assertOnlyOnLoopback(int port) throws IOException {
        new Socket(LoopbackPorts.HOST, port).close();
        for (InetAddress address : NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList()) {
            assertNobodyListens(address.getHostAddress(), port);
        }
    }

    private static void assertNobodyListens(String host, int port) {
        assertThatThrownBy(() -> new Socket(host, port).close()).isInstanceOf(ConnectException.class);
    }
}
