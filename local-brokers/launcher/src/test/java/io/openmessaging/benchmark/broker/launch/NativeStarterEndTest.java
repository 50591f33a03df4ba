package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what happens to nodes that are not Java programs when the process that started them ends. */
@StartsProcesses
class NativeStarterEndTest {

    private static final int NODES = 3;

    @TempDir
    Path temp;

    @AfterEach
    void endWhatIsLeft() {
        Processes.mentioning(folder()).forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void killedStarterTakesItsNodesAndTheirFolderWithIt() throws Exception {
        Process starter = startStarter(Lifetime.WITH_STARTER, NativeTestBroker.SERVE);
        assertThat(starter.inputReader().readLine()).isEqualTo("started " + NODES);
        Processes.awaitNaming(folder(), NODES);

        starter.destroyForcibly().waitFor();

        awaitNothing();
    }

    @Test
    void terminatedStarterTakesItsNodesAndTheirFolderWithIt() throws Exception {
        Process starter = startStarter(Lifetime.WITH_STARTER, NativeTestBroker.SERVE);
        assertThat(starter.inputReader().readLine()).isEqualTo("started " + NODES);

        starter.destroy();

        awaitNothing();
    }

    @ParameterizedTest
    @EnumSource
    void starterKilledDuringTheStartLeavesNothing(Lifetime lifetime) throws Exception {
        Process starter = startStarter(lifetime, NativeTestBroker.HANG);
        Processes.awaitNaming(folder(), NODES);

        starter.destroyForcibly().waitFor();

        awaitNothing();
    }

    @Test
    void nodesThatRunUntilStoppedOutliveTheirStarterAndItsWatch() throws Exception {
        String script = "touch ready; until [ -e end ]; do sleep 0.02; done";
        Process starter = startStarter(Lifetime.UNTIL_STOPPED, script);
        assertThat(starter.inputReader().readLine()).isEqualTo("started " + NODES);

        starter.destroyForcibly().waitFor();

        Patience.await("end of what watches the starter")
                .until(() -> Processes.mentioning(folder()).size() == NODES);
        Processes.awaitNaming(folder(), NODES);
        for (int i = 1; i <= NODES; i++) {
            Files.createFile(folder().resolve("native-" + i).resolve("end"));
        }
        Processes.awaitNoneNaming(folder());
        assertThat(folder()).exists();
    }

    private Process startStarter(Lifetime lifetime, String script) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        NativeTestStarter.class.getName(),
                        folder().toString(),
                        lifetime.name(),
                        script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void awaitNothing() {
        Patience.await("end of the nodes and of what watches the starter")
                .until(() -> Processes.mentioning(folder()).isEmpty());
        Patience.await("removal of " + folder()).until(() -> !Files.exists(folder()));
    }

    private Path folder() {
        return temp.resolve("broker");
    }
}
