package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Place;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shell scripts in the place of a broker that is no Java program. */
@Timeout(60)
class NativeNodeTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Takes its time to end at a SIGTERM, and leaves a note of it outside the broker's folder. */
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

            await("the shell to become the command")
                    .atMost(LIMIT)
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
    void isAskedToEndIfItIsToBe() throws Exception {
        start(ENDS_WHEN_ASKED, LIMIT).close();

        assertThat(temp.resolve("asked")).exists();
    }

    @Test
    void isKilledIfItDoesNotEndInTime() throws Exception {
        String script = "trap 'touch ../../asked' TERM; " + NativeTestBroker.SERVE;
        RunningBroker broker = start(script, Duration.ofMillis(500));

        broker.close();

        assertThat(temp.resolve("asked")).exists();
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

        // It may be listed on: nobody asks for its exit code.
        assertThat(helper.info().command()).isEmpty();
    }

    @Test
    void oneThatEndsByItselfKeepsItsLogForTheReason() throws Exception {
        String script = "touch ready; until [ -e end ]; do sleep 0.02; done; echo 'ERROR the disk has no room'; exit 3";
        try (RunningBroker broker = start(script, Duration.ZERO)) {
            Path log = broker.nodes().get(0).log();
            Files.createFile(log.resolveSibling("end"));

            await("its failure").atMost(LIMIT).until(() -> broker.failure().isPresent());

            assertThat(broker.failure().orElseThrow())
                    .matches("native-1 \\(pid \\d+\\) exited unexpectedly with exit code 3; its log says:\n"
                            + "  ERROR the disk has no room");
            // What watches the starter has noticed the end as well, and must not have cleared away.
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
                .start(new LocalBrokerOptions(1, null, Map.of(), new Place(temp, folder()), text -> {}));
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
        await("end of what watches the starter")
                .atMost(LIMIT)
                .until(() -> Processes.mentioning(folder()).isEmpty());
    }
}
