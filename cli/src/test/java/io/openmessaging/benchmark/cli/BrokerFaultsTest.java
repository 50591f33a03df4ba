package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.Fault;
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

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private static Fault kill(String target) {
        return fault(target, null, null);
    }

    private static Fault pause(String target) {
        return new Fault(Duration.ZERO, null, null, target, null, null, Duration.ofSeconds(1));
    }

    private static Fault fault(@Nullable String kill, @Nullable String run, @Nullable String undo) {
        return new Fault(Duration.ZERO, kill, null, null, run, undo, Duration.ofSeconds(1));
    }

    /** Three nodes that note what is done to them. */
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
        public void stop(String node) {
            done.add("stop " + node);
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
    void aLeaderThatIsNoNodeOfTheBrokerIsAnError() {
        assertThatThrownBy(() -> begin(kill("leader"), "elsewhere:9"))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("the leader elsewhere:9 is none of the nodes");
        assertThat(done).isEmpty();
    }

    @Test
    void whatIsNotPossibleHereIsToldBefore() {
        List<Fault> faults = List.of(kill("node-2"), kill("follower"), kill("minority"), kill("all"), kill("leader"));
        assertThat(BrokerFaults.cannot(faults, Optional.of(1)))
                .containsExactly(
                        "faults[0]: there is no node-2, the broker has 1 node (--local-nodes)",
                        "faults[1]: a follower needs a broker of at least 2 nodes (--local-nodes)",
                        "faults[2]: a minority needs a broker of at least 3 nodes (--local-nodes)");
        assertThat(BrokerFaults.cannot(faults, Optional.of(3))).isEmpty();
        assertThat(BrokerFaults.cannot(faults, Optional.empty()))
                .hasSize(5)
                .allMatch(problem -> problem.contains("for one elsewhere use run and undo"));
        assertThat(BrokerFaults.cannot(List.of(fault(null, "true", "true")), Optional.empty()))
                .isEmpty();
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
