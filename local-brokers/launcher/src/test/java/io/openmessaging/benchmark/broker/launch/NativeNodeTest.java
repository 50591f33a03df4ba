package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests shell scripts instead of a broker that is not a Java program. */
@StartsProcesses
class NativeNodeTest {

    /** A script that ends with a delay after SIGTERM, and leaves a file as evidence outside the broker's folder. */
    private static final String ENDS_WHEN_ASKED =
            "trap 'sleep 0.3; touch ../../asked; exit 0' TERM; " + NativeTestBroker.SERVE;

    @TempDir
    Path temp;

    @AfterEach
    void nothingIsLeft() {
        Processes.awaitNoneNaming(temp);
        assertThat(folder()).doesNotExist();
    }

    @Test
    void theProcessIsTheCommandItselfWithItsOwnVariables() throws Exception {
        String script = "echo \"$GREETING, ${HOME-nobody}\"; touch ready; exec sleep 600";
        try (RunningBroker broker = start(script, Duration.ZERO)) {
            RunningBroker.Node node = broker.nodes().get(0);

            Patience.await("the shell to become the command")
                    .until(() -> command(node.pid()).endsWith("/sleep"));
            assertThat(node.log()).hasContent("good morning, nobody");
        }
    }

    @Test
    void isKilledUnlessItIsToBeAsked() throws Exception {
        start(ENDS_WHEN_ASKED, Duration.ZERO).close();

        assertThat(temp.resolve("asked")).doesNotExist();
    }

    @Test
    void aJvmIsToBeKilled() {
        JvmNode node = new JvmNode("jvm", "32m", List.of(), List.of(), "Main", List.of());

        assertThat(node.process(temp, List.of("", "")).endLimit()).isZero();
    }

    @Test
    void isAskedToEndIfItIsToBe() throws Exception {
        start(ENDS_WHEN_ASKED, Patience.LIMIT).close();

        assertThat(temp.resolve("asked")).exists();
    }

    @Test
    void isKilledIfItDoesNotEndInTime() throws Exception {
        RunningBroker broker = start("trap '' TERM; " + NativeTestBroker.SERVE, Duration.ofMillis(100));

        broker.close();

        assertThat(ProcessHandle.of(broker.nodes().get(0).pid())).isEmpty();
    }

    @Test
    void whatTheNodeHasStartedEndsWithIt() throws Exception {
        String script = "setsid sleep 600 & echo $! >helper; touch ready; wait";
        RunningBroker broker = start(script, Duration.ZERO);
        Path note = broker.nodes().get(0).log().resolveSibling("helper");
        ProcessHandle helper =
                ProcessHandle.of(Long.parseLong(Files.readString(note).strip())).orElseThrow();
        assertThat(helper.isAlive()).isTrue();

        broker.close();

        // The process may remain listed, since nobody reads its exit code.
        assertThat(helper.info().command()).isEmpty();
    }

    @Test
    void oneThatEndsByItselfKeepsItsLogForTheReason() throws Exception {
        String script = "touch ready; until [ -e end ]; do sleep 0.02; done; echo 'ERROR the disk has no room'; exit 3";
        try (RunningBroker broker = start(script, Duration.ZERO)) {
            Path log = broker.nodes().get(0).log();
            Files.createFile(log.resolveSibling("end"));

            Patience.await("its failure").until(() -> broker.failure().isPresent());

            assertThat(broker.failure().orElseThrow())
                    .matches("native-1 \\(pid \\d+\\) exited unexpectedly with exit code 3; its log says:\n"
                            + "  ERROR the disk has no room");
            // The starter's watcher has noticed the end as well, and must not have deleted the log.
            awaitNoWatch();
            assertThat(log).exists();
        }
    }

    @Test
    void aProgramThatIsNotThereEndsTheStartWithTheReason() {
        assertThatThrownBy(() -> start("exec /no/such/program", Duration.ZERO))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("native-1 (pid ")
                .hasMessageContaining("/no/such/program");
    }

    private RunningBroker start(String script, Duration endLimit) throws Exception {
        return new NativeTestBroker(script, endLimit)
                .start(new LocalBrokerOptions(1, null, Map.of(), new Location(temp, folder()), text -> {}));
    }

    private Path folder() {
        return temp.resolve("broker");
    }

    private static String command(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .orElse("");
    }

    private void awaitNoWatch() {
        Patience.await("end of what watches the starter")
                .until(() -> Processes.mentioning(folder()).isEmpty());
    }
}
