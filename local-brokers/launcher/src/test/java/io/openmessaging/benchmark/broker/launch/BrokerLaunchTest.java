package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.InstanceOfAssertFactories.ARRAY;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@StartsProcesses
class BrokerLaunchTest {

    @TempDir
    Path temp;

    @Test
    void tellsWhatItStartedAndLeavesNothingAfterClose() throws Exception {
        RunningBroker broker = TestBroker.serving().start(options(2));

        assertThat(broker.addresses()).hasSize(2);
        assertThat(broker.settings()).containsEntry("heap", "32m");
        assertThat(broker.failure()).isEmpty();
        assertThat(broker.nodes()).extracting(RunningBroker.Node::name).containsExactly("test-1", "test-2");
        assertThat(broker.nodes()).allSatisfy(node -> {
            assertThat(ProcessHandle.of(node.pid())).isPresent();
            assertThat(node.log()).content().contains("test node says hello");
        });

        broker.close();
        broker.close();

        assertNothingIsLeft();
        assertThat(broker.failure()).isEmpty();
    }

    /** Maven sets the variable for all tests. */
    @Test
    void theUsersOptionsReachTheJvmAndAreKept() throws Exception {
        String options = System.getenv("BROKER_JVM_OPTS");
        assumeThat(options).isNotEmpty();

        try (RunningBroker broker = TestBroker.serving().start(options(1))) {
            assertThat(broker.settings()).containsEntry("jvm options", options);
            assertThat(ProcessHandle.of(broker.nodes().get(0).pid())
                            .orElseThrow()
                            .info()
                            .arguments())
                    .get(ARRAY)
                    .contains((Object[]) options.split(" "));
        }
        assertNothingIsLeft();
    }

    @Test
    void aKilledNodeHasNotFailedAndStartsAgain() throws Exception {
        try (RunningBroker broker = TestBroker.serving().start(options(2))) {
            RunningBroker.Node killed = broker.nodes().get(1);

            broker.kill("test-2");

            assertThat(ProcessHandle.of(killed.pid())).isEmpty();
            assertThat(broker.failure()).isEmpty();
            Processes.awaitNaming(folder(), 1);

            broker.startAgain("test-2");

            RunningBroker.Node again = broker.nodes().get(1);
            assertThat(again.name()).isEqualTo("test-2");
            assertThat(again.pid()).isNotEqualTo(killed.pid());
            assertThat(again.log()).isEqualTo(killed.log());
            Patience.await("the second greeting")
                    .untilAsserted(() -> assertThat(again.log()).content().containsPattern("(?s)hello.*hello"));
            assertThatThrownBy(() -> broker.startAgain("test-2"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("test-2 is already running");
            assertThatThrownBy(() -> broker.kill("test-3"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("unknown node 'test-3'; known nodes: test-1, test-2");
        }
        assertNothingIsLeft();
    }

    @Test
    void aClusterGoesOnUntilItsLastNodeHasEnded() throws Exception {
        TestBroker broker = new TestBroker(TestNode.Behaviour.SERVE_UNTIL_TOLD, Patience.LIMIT);
        try (RunningBroker running = broker.start(options(2))) {
            assertThat(running.endedNodes()).isEmpty();

            Files.createFile(running.nodes().get(1).log().resolveSibling("end"));
            Patience.until("the end of test-2", () -> !running.endedNodes().isEmpty());
            assertThat(running.endedNodes())
                    .singleElement()
                    .asString()
                    .matches("test-2 \\(pid \\d+\\) exited unexpectedly with exit code 3");
            assertThat(running.failure()).isEmpty();

            Files.createFile(running.nodes().get(0).log().resolveSibling("end"));
            Patience.until("the end of test-1", () -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow()).contains("the test wants it so");
            assertThat(running.endedNodes()).isEmpty();
        }
    }

    @Test
    void aNodeThatFailsEndsTheStartAtOnceWithItsReason() {
        TestBroker broker = new TestBroker(TestNode.Behaviour.FAIL, Patience.LIMIT);

        assertThatThrownBy(() -> broker.start(options(2)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageMatching("(?s)test-\\d \\(pid \\d+\\) exited unexpectedly with exit code 1; its log says:.*")
                .hasMessageContaining("IllegalStateException: the disk has no room")
                .hasMessageContaining("Caused by: java.io.IOException: really none")
                .hasMessageNotContaining("\tat ");

        assertNothingIsLeft();
    }

    @Test
    void aNodeThatIsNotReadyInTimeEndsTheStart() {
        TestBroker broker = new TestBroker(TestNode.Behaviour.HANG, Duration.ofSeconds(1));

        assertThatThrownBy(() -> broker.start(options(1)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("waited 1 s for the test nodes; the logs say:\ntest-1:\n");

        assertNothingIsLeft();
    }

    @Test
    void anInterruptEndsTheStart() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        TestBroker broker = new TestBroker(TestNode.Behaviour.HANG, Patience.LIMIT);
        Thread starting = new Thread(() -> {
            try {
                broker.start(options(2)).close();
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        starting.start();
        Processes.awaitNaming(folder(), 2);

        starting.interrupt();
        Patience.join(starting);

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertNothingIsLeft();
    }

    @Test
    void anInterruptedThreadClosesAsWell() throws Exception {
        RunningBroker broker = TestBroker.serving().start(options(1));

        Thread.currentThread().interrupt();
        broker.close();

        assertThat(Thread.interrupted()).as("interrupt status kept").isTrue();
        assertNothingIsLeft();
    }

    @Test
    void tellsOfANodeThatEndsLater() throws Exception {
        TestBroker broker = new TestBroker(TestNode.Behaviour.SERVE_UNTIL_TOLD, Patience.LIMIT);
        try (RunningBroker running = broker.start(options(1))) {
            Files.createFile(running.nodes().get(0).log().resolveSibling("end"));

            Patience.await("failure of test-1").until(() -> running.failure().isPresent());

            assertThat(running.failure().orElseThrow())
                    .startsWith("test-1 (pid ")
                    .contains("exit code 3")
                    .endsWith("  ERROR the test wants it so");
        }
        assertNothingIsLeft();
    }

    @Test
    void aFolderWithSomethingInItIsLeftAlone() throws Exception {
        Path file = Files.createFile(Files.createDirectory(folder()).resolve("precious"));

        assertThatThrownBy(() -> TestBroker.serving().start(options(1)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageContaining("is not empty");

        assertThat(file).exists();
    }

    private LocalBrokerOptions options(int nodes) {
        return new LocalBrokerOptions(nodes, null, Map.of(), new Location(temp, folder()), text -> {});
    }

    private Path folder() {
        return temp.resolve("broker");
    }

    private void assertNothingIsLeft() {
        // The starter's watcher ends with the pipe, a moment after its node.
        Processes.awaitNoneNaming(temp);
        assertThat(folder()).doesNotExist();
    }
}
