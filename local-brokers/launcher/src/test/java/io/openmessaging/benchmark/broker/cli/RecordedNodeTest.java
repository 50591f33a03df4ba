package io.openmessaging.benchmark.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.suite.Patience;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordedNodeTest {

    private static final Path LOG = Path.of("node.log");

    private static final RunningBroker.Launch LAUNCH =
            new RunningBroker.Launch(List.of("sleep", "600"), Map.of(), Set.of(), Path.of("."));

    @Test
    void aProcessRunsUntilItEnds() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        RecordedNode node = record(process.pid());
        try {
            assertThat(node.runs()).isTrue();
            assertThat(node.process()).contains(process.toHandle());
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(node.runs()).isFalse();
    }

    @Test
    void aProcessThatHasTakenOverTheIdIsAnotherOne() {
        RecordedNode self = record(ProcessHandle.current().pid());
        RecordedNode earlier = new RecordedNode(self.name(), self.pid(), self.startedAtMs() - 60_000, LOG, LAUNCH);

        assertThat(self.runs()).isTrue();
        assertThat(earlier.runs()).isFalse();
    }

    @Test
    void aProcessThatEndedUnderAParentThatDoesNotCareIsNotRunning() throws Exception {
        // The second sleep replaces the shell and never reads the exit code of the first one.
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        try (BufferedReader output = parent.inputReader()) {
            RecordedNode node = record(Long.parseLong(output.readLine()));
            ProcessHandle child = node.process().orElseThrow();

            child.destroyForcibly();

            Patience.await("end of the child").until(() -> !node.runs());
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    private static RecordedNode record(long pid) {
        return RecordedNode.of(new RunningBroker.Node("test-1", pid, LOG, LAUNCH));
    }
}
