package io.openmessaging.benchmark.broker.redpanda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a script instead of Docker, and without a Redpanda. */
@StartsProcesses
class RedpandaLocalBrokerTest {

    private static final String WHAT_TO_DO = "Redpanda runs in a container only: start a Docker engine, or start"
            + " your own Redpanda, point the driver file to it and use --brokers external";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private FakeDocker docker;

    @BeforeEach
    void installDocker() throws IOException {
        docker = new FakeDocker(temp);
    }

    @AfterEach
    void endWhatIsLeft() throws IOException {
        docker.containers().forEach(ProcessHandle::destroyForcibly);
    }

    private RunningBroker start(int nodes, @Nullable String heap, Map<String, String> settings) throws Exception {
        return new RedpandaLocalBroker(docker.path(), Patience.LIMIT)
                .start(new LocalBrokerOptions(
                        nodes, heap, settings, new Location(temp, temp.resolve("redpanda")), text -> {}));
    }

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .singleElement()
                .satisfies(broker -> assertThat(broker.name()).isEqualTo("redpanda"))
                .satisfies(broker -> assertThat(broker.usualPort()).isEqualTo(9092));
    }

    @Test
    void aContainerIsStartedAndRemoved() throws Exception {
        List<ProcessHandle> containers;
        try (RunningBroker broker = start(1, null, Map.of())) {
            assertThat(broker.product()).isEqualTo("Redpanda");
            assertThat(broker.version()).isEqualTo("24.3.8");
            assertThat(broker.addresses()).singleElement().asString().startsWith("127.0.0.1:");
            assertThat(broker.endpoints()).containsOnlyKeys("admin");
            assertThat(broker.settings())
                    .containsEntry("nodes", "1")
                    .containsEntry("smp", "1")
                    .containsEntry("container", "Docker");
            assertThat(docker.containers()).hasSize(1);
            assertThat(docker.calls().get(0)).isEqualTo("info --format {{.ServerVersion}}");
            assertThat(docker.calls().get(1))
                    .startsWith("run --rm --name benchmark-redpanda-")
                    .contains("--publish " + broker.addresses().get(0) + ":")
                    .contains("--publish " + adminAddresses(broker).get(0) + ":9644");
            containers = docker.containers();
        }
        assertNothingIsLeft(containers);
    }

    @Test
    void threeContainersShareANetworkThatIsRemovedWithThem() throws Exception {
        List<ProcessHandle> containers;
        Map<String, String> settings = Map.of("image", "redpanda:test", "smp", "2");
        try (RunningBroker broker = start(3, "1g", settings)) {
            assertThat(broker.addresses()).hasSize(3).doesNotHaveDuplicates();
            assertThat(adminAddresses(broker)).hasSize(3).doesNotHaveDuplicates();
            assertThat(broker.settings()).containsAllEntriesOf(settings).containsEntry("memory", "1G");
            assertThat(docker.containers()).hasSize(3);
            assertThat(docker.calls().get(1)).startsWith("network create benchmark-redpanda-");
            assertThat(docker.calls().stream().filter(call -> call.startsWith("run ")))
                    .hasSize(3)
                    .allMatch(call -> call.contains(" redpanda:test redpanda start --overprovisioned --smp 2 "));
            containers = docker.containers();
        }
        assertNothingIsLeft(containers);
    }

    @Test
    void theContainerGoesWhenTheStarterIsKilled() throws Exception {
        List<ProcessHandle> containers = List.of();
        Path folder = temp.resolve("redpanda");
        Process starter = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedpandaStarter.class.getName(),
                        temp.toString(),
                        folder.toString())
                .redirectError(temp.resolve("starter.log").toFile())
                .start();
        try (BufferedReader output = starter.inputReader()) {
            assertThat(output.readLine())
                    .as(Files.readString(temp.resolve("starter.log")))
                    .startsWith("[127.0.0.1:");
            containers = docker.containers();
            assertThat(containers).hasSize(1);
        } finally {
            starter.destroyForcibly().waitFor();
        }
        assertNothingIsLeft(containers);
        Patience.await("the removal of the folder").until(() -> !Files.exists(folder));
    }

    private static List<String> adminAddresses(RunningBroker broker) {
        return broker.endpoints().getOrDefault("admin", List.of());
    }

    private void assertNothingIsLeft(List<ProcessHandle> containers) {
        Patience.await("the removal of containers and networks")
                .until(() -> docker.left().isEmpty() && containers.stream().noneMatch(RedpandaLocalBrokerTest::runs));
    }

    /**
     * Returns whether a process runs: one that has ended but whose parent has not read its exit code is still listed,
     * without a command.
     */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    @Test
    void aContainerThatEndsAtOnceIsTheCauseWithDockersWords() throws Exception {
        docker.install("""
                case $1 in
                info) echo 27.1.1 ;;
                run) echo 'Unable to find image locally' >&2; exit 125 ;;
                esac
                """);
        assertThatThrownBy(() -> start(1, null, Map.of()))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("redpanda-1 (pid ")
                .hasMessageContaining("exited unexpectedly with exit code 125")
                .hasMessageContaining("Unable to find image locally");
        assertThat(temp.resolve("redpanda")).doesNotExist();
    }

    @Test
    void saysThatThereIsNoDocker() {
        RedpandaLocalBroker broker = new RedpandaLocalBroker(new ProgramPath(List.of()), Patience.LIMIT);
        assertThatThrownBy(() -> broker.start(new LocalBrokerOptions(
                        1, null, Map.of(), new Location(temp, temp.resolve("redpanda")), text -> {})))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("Redpanda cannot be started here: there is no program docker on the PATH. " + WHAT_TO_DO);
        assertThat(temp.resolve("redpanda")).doesNotExist();
    }

    @Test
    void saysThatNoEngineAnswers() throws Exception {
        docker.install("echo 'Cannot connect to the Docker daemon. Is it running?' >&2\nexit 1\n");
        assertThatThrownBy(() -> start(1, null, Map.of()))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("Redpanda cannot be started here: no Docker engine responds. " + WHAT_TO_DO
                        + ". Docker does not run on this machine: " + temp.resolve("docker")
                        + " ended with exit code 1; it says:\n  Cannot connect to the Docker daemon. Is it running?");
        assertThat(temp.resolve("redpanda")).doesNotExist();
    }

    @Test
    void refusesSettingsItDoesNotKnow() {
        assertThatThrownBy(() -> start(1, null, Map.of("log_segment_size", "1")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local Redpanda supports the settings image, memory, smp, not log_segment_size");
    }
}
