package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of the nodes when the process that started them ends. */
@Timeout(90)
class StarterEndTest {

    private static final int NODES = 3;

    @TempDir
    Path temp;

    @AfterEach
    void endWhatIsLeft() {
        Processes.naming(folder()).forEach(ProcessHandle::destroyForcibly);
        Processes.awaitNoneNaming(folder());
    }

    @Test
    void killedStarterTakesItsNodesAndTheirFolderWithIt() throws Exception {
        Process starter = startStarter(Lifetime.WITH_STARTER, TestNode.Behaviour.SERVE);
        awaitStarted(starter);
        assertThat(nodes()).isEqualTo(NODES);

        kill(starter);

        Processes.awaitNoneNaming(folder());
        awaitFolderGone();
    }

    @Test
    void terminatedStarterTakesItsNodesAndTheirFolderWithIt() throws Exception {
        Process starter = startStarter(Lifetime.WITH_STARTER, TestNode.Behaviour.SERVE);
        awaitStarted(starter);

        starter.destroy();

        Processes.awaitNoneNaming(folder());
        awaitFolderGone();
    }

    @ParameterizedTest
    @EnumSource
    void starterKilledDuringTheStartLeavesNothing(Lifetime lifetime) throws Exception {
        Process starter = startStarter(lifetime, TestNode.Behaviour.HANG);
        await("start of the nodes").atMost(Duration.ofSeconds(30)).until(() -> nodes() == NODES);

        kill(starter);

        Processes.awaitNoneNaming(folder());
        awaitFolderGone();
    }

    @Test
    void nodesThatRunUntilStoppedOutliveTheirStarter() throws Exception {
        Process starter = startStarter(Lifetime.UNTIL_STOPPED, TestNode.Behaviour.SERVE_UNTIL_TOLD);
        awaitStarted(starter);

        kill(starter);

        // The nodes still answer: each ends because it is told to.
        for (int i = 1; i <= NODES; i++) {
            assertThat(nodes()).isEqualTo(NODES - i + 1);
            Files.createFile(folder().resolve("test-" + i).resolve("end"));
            int left = NODES - i;
            await("end of node " + i).atMost(Duration.ofSeconds(30)).until(() -> nodes() == left);
        }
        assertThat(folder()).exists();
    }

    private Process startStarter(Lifetime lifetime, TestNode.Behaviour behaviour) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TestStarter.class.getName(),
                        folder().toString(),
                        lifetime.name(),
                        behaviour.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitStarted(Process starter) throws IOException {
        BufferedReader output = starter.inputReader();
        assertThat(output.readLine()).isEqualTo("started " + NODES);
    }

    private static void kill(Process starter) throws InterruptedException {
        starter.destroyForcibly().waitFor();
    }

    /** The nodes, unlike their starter, name files below the broker's folder. */
    private long nodes() {
        return Processes.naming(folder()).size();
    }

    private void awaitFolderGone() {
        await("removal of " + folder()).atMost(Duration.ofSeconds(30)).until(() -> !Files.exists(folder()));
    }

    private Path folder() {
        return temp.resolve("broker");
    }
}
