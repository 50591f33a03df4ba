package io.openmessaging.benchmark.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@StartsProcesses
class ProgramRunTest {

    private static final Duration LONG = Patience.LIMIT;

    private static ProgramRun shell(String script, String input, Duration limit)
            throws IOException, InterruptedException {
        return ProgramRun.of(new ProcessBuilder("/bin/sh", "-c", script), input, limit);
    }

    @Test
    void readsItsInputAndPrintsLines() throws Exception {
        ProgramRun run = shell("cat; echo complaint >&2; exit 3", "a line\n", LONG);
        assertThat(run.exitCode()).hasValue(3);
        assertThat(run.output()).containsExactly("a line", "complaint");
        assertThat(run.succeeded()).isFalse();
        assertThat(shell("true", "", LONG).succeeded()).isTrue();
    }

    @Test
    void oneThatTakesTooLongIsKilledWithWhatItHasStarted() throws Exception {
        ProgramRun run = shell("sleep 50 & echo $!; wait", "", Duration.ofSeconds(1));
        assertThat(run.exitCode()).isEmpty();
        assertThat(run.succeeded()).isFalse();
        Optional<ProcessHandle> child =
                ProcessHandle.of(Long.parseLong(run.output().get(0)));
        if (child.isPresent()) {
            Patience.get("the end of what it has started", child.get().onExit());
        }
    }

    /** Nothing is left if this process is killed meanwhile. */
    @Test
    void theFileOfItsOutputHasNoNameWhileItRuns() throws Exception {
        ProgramRun run =
                shell("until [ ! -e \"$(readlink /proc/$$/fd/1)\" ]; do sleep 0.01; done; echo gone", "", LONG);
        assertThat(run.output()).containsExactly("gone");
    }

    @Test
    void whatAProgramLeavesBehindIsNotWaitedFor() throws Exception {
        ProgramRun run = shell("sleep 20 & echo $!", "", LONG);
        assertThat(run.succeeded()).isTrue();
        ProcessHandle left =
                ProcessHandle.of(Long.parseLong(run.output().get(0))).orElseThrow();
        assertThat(left.isAlive()).isTrue();
        assertThat(left.destroyForcibly()).isTrue();
    }
}
