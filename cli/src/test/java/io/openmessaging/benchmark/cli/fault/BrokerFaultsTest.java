package io.openmessaging.benchmark.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.faults.FaultTools;
import io.openmessaging.benchmark.faults.Separation;
import io.openmessaging.benchmark.run.FaultMeans.Begun;
import io.openmessaging.benchmark.run.FaultMeans.FaultException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerFaultsTest {

    private final List<String> done = new ArrayList<>();

    private String interruptedAt = "";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private static Fault kill(String target) {
        return fault(target, null, null);
    }

    private static Fault pause(String target) {
        return new Fault(
                Duration.ZERO, null, null, target, null, null, null, null, null, null, null, Duration.ofSeconds(1));
    }

    private static Fault stop(String target) {
        return new Fault(
                Duration.ZERO, null, target, null, null, null, null, null, null, null, null, Duration.ofSeconds(1));
    }

    private static Fault fault(@Nullable String kill, @Nullable String run, @Nullable String undo) {
        return new Fault(
                Duration.ZERO, kill, null, null, null, null, null, null, null, run, undo, Duration.ofSeconds(1));
    }

    private static Fault isolate(String target) {
        return new Fault(
                Duration.ZERO, null, null, null, target, null, null, null, null, null, null, Duration.ofSeconds(1));
    }

    private static Fault delay(String target) {
        Duration by = Duration.ofMillis(50);
        return new Fault(
                Duration.ZERO, null, null, null, null, target, by, null, null, null, null, Duration.ofSeconds(1));
    }

    private static Fault fillDisk(String target) {
        return new Fault(
                Duration.ZERO, null, null, null, null, null, null, target, "1g", null, null, Duration.ofSeconds(1));
    }

    /** A machine that has all tools, or lacks some. */
    private record Tools(Optional<String> whyNoFirewall, Optional<String> whyNoDisk) implements FaultTools {}

    private static final Tools ALL = new Tools(Optional.empty(), Optional.empty());

    private static Optional<BrokerFaults.Nodes> nodes(int count) {
        return Optional.of(new BrokerFaults.Nodes(count, false));
    }

    /** Three nodes that record what is done to them. */
    private final class ThreeNodes implements RunningBroker {

        @Override
        public String product() {
            return "Three";
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public List<String> addresses() {
            return List.of("127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3");
        }

        @Override
        public List<Node> nodes() {
            return List.of();
        }

        @Override
        public List<String> servers() {
            return List.of("three-1", "three-2", "three-3");
        }

        @Override
        public Map<String, String> settings() {
            return Map.of();
        }

        @Override
        public Optional<String> failure() {
            return Optional.empty();
        }

        @Override
        public void kill(String node) {
            done.add("kill " + node);
        }

        @Override
        public void stop(List<String> nodes) throws LocalBrokerException {
            done.add("stop " + String.join(" ", nodes));
            if (nodes.contains(interruptedAt)) {
                throw new LocalBrokerException(interruptedAt + " had not ended 60 s after SIGTERM, and was killed");
            }
        }

        @Override
        public void pause(String node) throws LocalBrokerException {
            if (node.equals("three-2")) {
                throw new LocalBrokerException("three-2 goes on");
            }
            done.add("pause " + node);
        }

        @Override
        public void resume(String node) {
            done.add("resume " + node);
        }

        @Override
        public void startAgain(String node) {
            done.add("start " + node);
        }

        @Override
        public void isolate(String node) throws InterruptedException {
            done.add("isolate " + node);
            if (node.equals(interruptedAt)) {
                done.add("join " + node);
                throw new InterruptedException();
            }
        }

        @Override
        public void join(String node) {
            done.add("join " + node);
        }

        @Override
        public Duration delay(String node, Duration by) {
            done.add("delay " + node + " " + by.toMillis());
            return by;
        }

        @Override
        public void endDelay(String node) {
            done.add("end " + node);
        }

        @Override
        public void fillDisk(String node) {
            done.add("fill " + node);
        }

        @Override
        public boolean freeDisk(String node) {
            done.add("free " + node);
            return node.equals("three-1");
        }

        @Override
        public void close() {}
    }

    private Begun begin(Fault fault, String leader) throws Exception {
        return new BrokerFaults(Optional.of(new ThreeNodes())).begin(fault, () -> Optional.of(leader));
    }

    @ParameterizedTest
    @CsvSource({
        "node-3, kill three-3, start three-3",
        "leader, kill three-2, start three-2",
        "follower, kill three-3, start three-3",
        "minority, kill three-1, start three-1"
    })
    void aTargetIsTheNodeThatItNames(String target, String killed, String started) throws Exception {
        Begun begun = begin(kill(target), "127.0.0.1:2");
        assertThat(done).containsExactly(killed);
        begun.undo();
        assertThat(done).containsExactly(killed, started);
        assertThat(begun.what()).startsWith("killed three-").endsWith(target.startsWith("node") ? "3" : ")");
    }

    @Test
    void whatWasBegunIsTakenBackWhereTheNextNodeRefuses() {
        assertThatThrownBy(() -> begin(pause("all"), "127.0.0.1:1"))
                .isInstanceOf(FaultException.class)
                .hasMessage("three-2 goes on");
        assertThat(done).containsExactly("pause three-1", "resume three-1");
    }

    @Test
    void nodesAreStoppedAtTheSameTimeAndStartedAgainEvenIfOneHadToBeKilled() throws Exception {
        begin(stop("all"), "127.0.0.1:1").undo();
        assertThat(done)
                .containsExactly("stop three-1 three-2 three-3", "start three-1", "start three-2", "start three-3");
        done.clear();
        interruptedAt = "three-3";
        assertThatThrownBy(() -> begin(stop("all"), "127.0.0.1:1"))
                .isInstanceOf(FaultException.class)
                .hasMessage("three-3 had not ended 60 s after SIGTERM, and was killed");
        assertThat(done)
                .containsExactly("stop three-1 three-2 three-3", "start three-1", "start three-2", "start three-3");
    }

    @Test
    void aLeaderThatIsNoNodeOfTheBrokerIsAnError() {
        assertThatThrownBy(() -> begin(kill("leader"), "elsewhere:9"))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("the leader elsewhere:9 is not one of the nodes");
        assertThat(done).isEmpty();
    }

    @Test
    void whatIsNotPossibleHereIsToldBefore() {
        List<Fault> faults = List.of(kill("node-2"), kill("follower"), kill("minority"), kill("all"), kill("leader"));
        assertThat(BrokerFaults.cannot(faults, nodes(1), Optional.empty(), ALL))
                .containsExactly(
                        "faults[0]: there is no node-2, the broker has 1 node (--local-nodes)",
                        "faults[1]: a follower needs a broker of at least 2 nodes (--local-nodes)",
                        "faults[2]: a minority needs a broker of at least 3 nodes (--local-nodes)");
        assertThat(BrokerFaults.cannot(faults, nodes(3), Optional.empty(), ALL)).isEmpty();
        assertThat(BrokerFaults.cannot(faults, Optional.empty(), Optional.empty(), ALL))
                .hasSize(5)
                .allMatch(problem -> problem.contains("for a broker elsewhere, use run and undo"));
        assertThat(BrokerFaults.cannot(List.of(fault(null, "true", "true")), Optional.empty(), Optional.empty(), ALL))
                .isEmpty();
    }

    @Test
    void networkAndDiskAreForWhereTheKernelCan() {
        List<Fault> faults = List.of(isolate("all"), delay("node-1"), fillDisk("leader"), kill("all"));
        assertThat(BrokerFaults.cannot(faults, nodes(3), Optional.empty(), ALL)).isEmpty();
        Tools none = new Tools(Optional.of("there is no program nft"), Optional.of("mount: not permitted"));
        assertThat(BrokerFaults.cannot(faults, nodes(3), Optional.empty(), none))
                .containsExactly(
                        "faults[0]: isolate needs nftables rules for the sockets of one node, which need root, nft and"
                                + " control groups of version 2: there is no program nft; run as root where these are"
                                + " available, or use run and undo with your own commands",
                        "faults[1]: delay needs nftables rules for the sockets of one node, which need root, nft and"
                                + " control groups of version 2: there is no program nft; run as root where these are"
                                + " available, or use run and undo with your own commands",
                        "faults[2]: fill-disk needs a separate disk for each node, which needs root, loop devices and"
                                + " mkfs.ext4: mount: not permitted; run as root where these are available, or use run and"
                                + " undo with your own commands");
        assertThat(BrokerFaults.cannot(faults, Optional.of(new BrokerFaults.Nodes(3, true)), Optional.empty(), ALL))
                .hasSize(3)
                .allMatch(problem -> problem.contains("these are containers; use run and undo"));
        assertThat(BrokerFaults.cannot(faults, Optional.empty(), Optional.empty(), none))
                .hasSize(4)
                .allMatch(problem -> problem.contains("needs a broker that is started for the run"));
    }

    @Test
    void nodesAreSetApartOnlyAsFarAsFaultsNeedIt() {
        assertThat(BrokerFaults.separation(List.of())).isEqualTo(Separation.NONE);
        assertThat(BrokerFaults.separation(List.of(kill("all"), pause("all")))).isEqualTo(Separation.NONE);
        assertThat(BrokerFaults.separation(List.of(isolate("all")))).isEqualTo(new Separation(true, false, 0));
        assertThat(BrokerFaults.separation(List.of(delay("all")))).isEqualTo(new Separation(true, true, 0));
        assertThat(BrokerFaults.separation(List.of(fillDisk("all"), isolate("all"))))
                .isEqualTo(new Separation(true, false, 1 << 30));
    }

    @Test
    void networkAndDiskAreTakenBackAndTell() throws Exception {
        Begun isolated = begin(isolate("node-2"), "");
        isolated.undo();
        Begun delayed = begin(delay("node-2"), "");
        assertThat(delayed.what()).isEqualTo("delayed three-2 by 50ms");
        assertThat(delayed.output()).containsExactly("a round trip to three-2 then took 50.0 ms");
        delayed.undo();
        Begun full = begin(fillDisk("minority"), "");
        assertThat(full.what()).isEqualTo("filled the disk of three-1 (minority)");
        full.undo();
        assertThat(full.output()).containsExactly("three-1 exited while its disk was full, and was restarted");
        assertThat(done)
                .containsExactly(
                        "isolate three-2",
                        "join three-2",
                        "delay three-2 50",
                        "end three-2",
                        "fill three-1",
                        "free three-1");
    }

    @Test
    void whatWasBegunIsTakenBackWhereItIsInterrupted() {
        interruptedAt = "three-2";
        assertThatThrownBy(() -> begin(isolate("all"), "")).isInstanceOf(InterruptedException.class);
        assertThat(done).containsExactly("isolate three-1", "isolate three-2", "join three-2", "join three-1");
    }

    @Test
    void whatIsGoingToBeDoneIsToldWithItsMeans() {
        assertThat(BrokerFaults.describe(isolate("node-2")))
                .matches("isolate node-2 at 0s for 1s: nftables, table omb_\\d+_<node>");
        assertThat(BrokerFaults.describe(delay("leader")))
                .startsWith("delay leader by 50ms at 0s for 1s: a relay in front of all nodes for the whole run");
        assertThat(BrokerFaults.describe(fillDisk("all")))
                .isEqualTo("fill-disk all at 0s for 1s: a file on a disk of its own, ext4 of 1g on a loop device");
        assertThat(BrokerFaults.describe(kill("all"))).endsWith(": SIGKILL, then started again on its data");
    }

    @Test
    void commandsAreRunAndTakenBackAndKeepTheirOutput() throws Exception {
        Path mark = folder.resolve("mark");
        Begun begun = new BrokerFaults(Optional.empty())
                .begin(fault(null, "echo cut; touch " + mark, "echo joined; rm " + mark), Optional::empty);
        assertThat(mark).exists();
        begun.undo();
        assertThat(mark).doesNotExist();
        assertThat(begun.output()).containsExactly("cut", "joined");
    }

    @Test
    void aCommandThatFailsIsTakenBackAtOnce() {
        Path mark = folder.resolve("mark");
        assertThatThrownBy(() -> new BrokerFaults(Optional.empty())
                        .begin(fault(null, "touch " + mark + "; echo no >&2; exit 3", "rm " + mark), Optional::empty))
                .isInstanceOf(FaultException.class)
                .hasMessage("run ended with 3: no");
        assertThat(Files.exists(mark)).isFalse();
    }
}
