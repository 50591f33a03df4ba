package io.openmessaging.benchmark.faults;

import static io.openmessaging.benchmark.faults.ConnectProbe.ConnectResult.SILENCE;
import static io.openmessaging.benchmark.faults.ConnectProbe.ConnectResult.THROUGH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.faults.ConnectProbe.ConnectResult;
import io.openmessaging.benchmark.limits.SocketGroup;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests with processes of their own and the firewall of this machine, where it may be changed. */
@StartsProcesses
class NetworkFaultsTest {

    private SocketGroup group;
    private SocketGroup otherGroup;
    private ServerSocket here;

    @BeforeEach
    void begin() throws IOException {
        Optional<String> lack = FaultTools.ofThisMachine().whyNoFirewall();
        assumeTrue(lack.isEmpty(), lack.orElse(""));
        group = SocketGroup.open("test-1", Optional.empty());
        otherGroup = SocketGroup.open("test-2", Optional.empty());
        here = new ServerSocket(0, 50, InetAddress.getByName(Relay.HERE));
    }

    @AfterEach
    void end() throws IOException {
        if (here != null) {
            here.close();
            group.close();
            otherGroup.close();
        }
    }

    private static ConnectResult connectTo(int port) {
        return ConnectProbe.connect(new InetSocketAddress(Relay.HERE, port), 300);
    }

    /** Other tests may run at the same time: only tables with the number of this process belong to it. */
    private static String tables() throws Exception {
        return Programs.run(List.of(Programs.require("nft", "nftables"), "list", "tables"), "");
    }

    private static String ownTable(String node) {
        return Firewall.table("inet", node).name();
    }

    @Test
    void anIsolatedNodeReachesNobodyAndNobodyReachesIt() throws Exception {
        try (TestNode node = new TestNode(group::entered);
                TestNode other = new TestNode(otherGroup::entered)) {
            Isolation.requireConnectionFrom(group);
            Isolation isolation = Isolation.begin("test-node-1", group);
            assertThat(tables()).contains(ownTable("test-node-1"));
            assertThat(connectTo(node.port)).isEqualTo(SILENCE);
            assertThat(other.connectTo(node.port)).isEqualTo(SILENCE);
            assertThat(node.connectTo(other.port)).isEqualTo(SILENCE);
            assertThat(node.connectTo(here.getLocalPort())).isEqualTo(SILENCE);
            assertThat(node.connectTo(node.port)).as("itself").isEqualTo(THROUGH);
            assertThat(connectTo(other.port)).as("others").isEqualTo(THROUGH);
            assertThat(other.connectTo(here.getLocalPort())).isEqualTo(THROUGH);

            Isolation second = Isolation.begin("test-node-2", otherGroup);
            assertThat(other.connectTo(node.port)).isEqualTo(SILENCE);
            assertThat(node.connectTo(other.port)).isEqualTo(SILENCE);
            assertThat(node.connectTo(node.port)).as("itself").isEqualTo(THROUGH);
            assertThat(other.connectTo(other.port)).as("itself").isEqualTo(THROUGH);

            isolation.end();
            second.end();
            assertThat(connectTo(node.port)).isEqualTo(THROUGH);
            assertThat(node.connectTo(other.port)).isEqualTo(THROUGH);
            assertThat(tables()).doesNotContain(ownTable("test-node-1"), ownTable("test-node-2"));
        }
    }

    /** With equal marks, another harness on this machine would drop packets that a node sends to itself. */
    @Test
    void noOtherProcessUsesTheSameMark() {
        Pattern mark = Pattern.compile("meta mark set (\\d+)");
        List<Long> marks = Stream.of("a", "b")
                .map(node -> mark.matcher(Isolation.rules(Firewall.table("inet", node), group)))
                .flatMap(Matcher::results)
                .map(found -> Long.valueOf(found.group(1)))
                .toList();
        assertThat(marks)
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allSatisfy(found ->
                        assertThat(found >> 9).isEqualTo(ProcessHandle.current().pid()));
    }

    @Test
    void aNodeThatIsNotThereIsNotIsolated() {
        assertThatThrownBy(() -> Isolation.begin("test-node-3", group))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not listen on any port");
    }

    @Test
    void aNodeOutsideOfItsGroupIsSeenNotToBeIsolated() throws Exception {
        // The group has a process that listens, but that created its socket elsewhere.
        try (TestNode node = new TestNode(command -> command)) {
            Programs.run(group.entered(List.of("/bin/sh", "-c", "true")), "");
            Programs.run(List.of("/bin/sh", "-c", "echo " + node.pid() + " >" + folder(group) + "/cgroup.procs"), "");
            assertThatThrownBy(() -> Isolation.begin("test-node-4", group))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("although all packets should be dropped");
        }
        assertThat(tables()).doesNotContain(ownTable("test-node-4"));
    }

    private static String folder(SocketGroup group) {
        String path = group.match().replaceAll(".*\"(.*)\"", "$1");
        return "/sys/fs/cgroup/" + path;
    }

    @Test
    void rulesThatWereRemovedByOthersAreMissed() throws Exception {
        try (TestNode node = new TestNode(group::entered)) {
            Isolation isolation = Isolation.begin("test-node-5", group);
            Firewall.ofThisMachine().delete(Firewall.table("inet", "test-node-5"));
            assertThatThrownBy(isolation::end)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("removed too early");
            assertThat(connectTo(node.port)).isEqualTo(THROUGH);
        }
    }

    @Test
    void tablesOfProcessesThatHaveEndedAreSweptAway() throws Exception {
        Firewall firewall = Firewall.ofThisMachine();
        Process ended = new ProcessBuilder("true").start();
        assertThat(Patience.exitCode("true", ended)).isZero();
        String left = "omb_" + ended.pid() + "_test";
        firewall.add("table inet " + left + " {\n}\n");
        String ours = Firewall.table("inet", "test").name();
        firewall.add("table inet " + ours + " {\n}\n");
        FaultTools.sweep();
        assertThat(tables()).doesNotContain(left).contains(ours);
        firewall.delete(new Firewall.Table("inet", ours));
    }

    @Test
    void theWayToADelayedNodeIsLongerForAllButItself() throws Exception {
        int port = freePort();
        DelayNetwork network = DelayNetwork.open(List.of(port));
        try {
            network.add("node", group);
            network.add("other", otherGroup);
            assertThatThrownBy(() -> network.delay("node", group, Duration.ofMillis(60)))
                    .hasMessageContaining("does not listen on any port");
            try (TestNode node = new TestNode(group::entered, port);
                    TestNode other = new TestNode(otherGroup::entered)) {
                assertThat(connectTo(port)).isEqualTo(THROUGH);
                assertThat(other.connectTo(port)).isEqualTo(THROUGH);
                assertThat(node.connectTo(port)).isEqualTo(THROUGH);
                Duration took = network.delay("node", group, Duration.ofMillis(60));
                assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(60));
                network.endDelay("node");
                assertThat(network.delay("node", group, Duration.ofMillis(1)))
                        .isGreaterThanOrEqualTo(Duration.ofMillis(1));
            }
        } finally {
            network.close();
        }
        assertThat(tables()).doesNotContain(Firewall.table("ip", "relay").name());
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(Relay.HERE))) {
            return any.getLocalPort();
        }
    }
}
