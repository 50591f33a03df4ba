package io.openmessaging.benchmark.broker.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.rocketmq.BrokerNode.TransactionMetricsSaver;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.junit.jupiter.api.Test;

/** Tests the real RocketMQ, whose jars are fetched on first use into the checkout's own cache. */
class RocketMqLocalBrokerIT extends LocalBrokerContractTest {

    private static final long CALL_LIMIT_MS = Patience.LIMIT.toMillis();

    @Override
    protected LocalBroker localBroker() {
        return new RocketMqLocalBroker();
    }

    @Test
    void servesOnLoopbackAndLeavesNothingAfterClose() throws Exception {
        Set<Integer> ports;
        RunningBroker broker = start(Map.of("flushDiskType", "SYNC_FLUSH"));
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
            int listenPort = listenPort("rocketmq-broker");
            assertThat(ports).contains(listenPort, listenPort - 2);
            for (int port : ports) {
                assertOnlyOnLoopback(port);
            }
            // RocketMQ would wait for replicas on this port.
            assertNobodyListens(ListenAddress.LOOPBACK.host(), listenPort + 1);
            assertThatNoThreadSpins(broker);
            assertThat(broker.failure()).isEmpty();
        }
        assertNothingIsLeft(broker, ports);
    }

    @Test
    @LongSuite("starts a name server and a broker that fails")
    void aSettingThatRocketMqDoesNotKnowIsRefused() {
        assertThatThrownBy(() -> start(Map.of("flushDiscType", "SYNC_FLUSH")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageContaining("RocketMQ's broker.conf has no such setting: flushDiscType");
        assertThat(folder()).doesNotExist();
    }

    @Test
    @LongSuite("starts four processes and kills one")
    void aMasterHasTwoSlavesOnLoopbackAndOneOfThemTakesItsPlace() throws Exception {
        try (RunningBroker broker = start(options(3, Map.of()))) {
            assertThat(broker.endpoints()).isEmpty();
            assertThat(broker.nodes())
                    .extracting(RunningBroker.Node::name)
                    .containsExactly("rocketmq-namesrv", "rocketmq-broker-1", "rocketmq-broker-2", "rocketmq-broker-3");
            assertThat(broker.settings())
                    .containsEntry("allAckInSyncStateSet", "true")
                    .containsEntry("minInSyncReplicas", "2");
            for (int port : ports(broker)) {
                assertOnlyOnLoopback(port);
            }
            String master = masterAddress(broker);
            assertThat(master).isEqualTo("127.0.0.1:" + listenPort("rocketmq-broker-1"));
            broker.kill("rocketmq-broker-1");
            Patience.until("another master", () -> !List.of(master, "").contains(masterAddress(broker)));
            assertThat(broker.failure()).isEmpty();
            String successor = masterAddress(broker);
            broker.startAgain("rocketmq-broker-1");
            Patience.until(
                    "the old master among the replicas",
                    () -> brokerAddresses(broker).containsValue(master));
            assertThat(masterAddress(broker)).isEqualTo(successor);
        }
    }

    @Test
    void otherNumbersOfNodesAreRefused() {
        assertThatThrownBy(() -> start(options(2, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageEndingWith("nodes must be 1 or 3, got 2");
    }

    /** Queries the broker, whose address the name server knows. */
    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        assertThat(flushDiskType(broker)).isEqualTo("ASYNC_FLUSH");
    }

    private static String flushDiskType(RunningBroker broker) throws Exception {
        String address = masterAddress(broker);
        return ask(
                broker, client -> client.getBrokerConfig(address, CALL_LIMIT_MS).getProperty("flushDiskType"));
    }

    /** Returns the master's address; empty while there is none. */
    private static String masterAddress(RunningBroker broker) throws Exception {
        return brokerAddresses(broker).getOrDefault(MixAll.MASTER_ID, "");
    }

    /** Returns the brokers' addresses by their numbers, as known to the name server. */
    private static Map<Long, String> brokerAddresses(RunningBroker broker) throws Exception {
        return ask(
                broker,
                client -> client.getBrokerClusterInfo(CALL_LIMIT_MS).getBrokerAddrTable().values().stream()
                        .map(BrokerData::getBrokerAddrs)
                        .findFirst()
                        .orElse(new HashMap<>()));
    }

    private interface Question<T> {

        T put(MQClientAPIImpl client) throws Exception;
    }

    private static <T> T ask(RunningBroker broker, Question<T> question) throws Exception {
        MQClientAPIImpl client = new MQClientAPIImpl(new NettyClientConfig(), null, null, new ClientConfig());
        client.updateNameServerAddressList(broker.addresses().get(0));
        client.start();
        try {
            return question.put(client);
        } finally {
            client.shutdown();
        }
    }

    /** Verifies that our thread that saves transaction metrics runs, and RocketMQ's own does not. */
    private static void assertThatNoThreadSpins(RunningBroker broker) throws IOException {
        Path threads = Path.of("/proc", Long.toString(broker.nodes().get(1).pid()), "task");
        if (!Files.exists(threads)) {
            return;
        }
        List<String> names = new ArrayList<>();
        try (Stream<Path> ids = Files.list(threads)) {
            for (Path id : ids.toList()) {
                names.add(name(id.resolve("comm")));
            }
        }
        assertThat(names).contains(TransactionMetricsSaver.THREAD).noneMatch(name -> name.startsWith("TransactionMet"));
    }

    /** Returns the thread's name; empty if it has ended meanwhile. */
    private static String name(Path comm) {
        try {
            return Files.readString(comm).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private int listenPort(String node) throws IOException {
        Properties config = new Properties();
        try (var reader = Files.newBufferedReader(folder().resolve(node).resolve("broker.conf"))) {
            config.load(reader);
        }
        return Integer.parseInt(config.getProperty("listenPort"));
    }

    private static void assertOnlyOnLoopback(int port) throws IOException {
        new Socket(ListenAddress.LOOPBACK.host(), port).close();
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
