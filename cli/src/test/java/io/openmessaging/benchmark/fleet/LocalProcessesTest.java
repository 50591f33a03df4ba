package io.openmessaging.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.faults.ProcessSignals;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalProcessesTest {

    /** In place of a worker: tells its process, and ends with its input. */
    private static final String WORKER = """
            #!/bin/sh
            echo $$ > "$0.pid"
            echo "worker: ready at http://127.0.0.1:1"
            exec cat
            """;

    @TempDir
    Path home;

    @Test
    void aHaltedWorkerIsKilledAtOnce() throws Exception {
        Path worker = Files.createDirectories(home.resolve("bin")).resolve("benchmark-worker");
        Files.writeString(worker, WORKER);
        assertThat(worker.toFile().setExecutable(true)).isTrue();
        try (LocalProcesses processes = LocalProcesses.start(1, home, Confinement.NONE)) {
            assertThat(processes.urls()).isEqualTo(List.of("http://127.0.0.1:1"));
            long pid = Long.parseLong(Files.readString(Path.of(worker + ".pid")).strip());
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            ProcessSignals.pause("worker 1", pid);

            processes.abandon(0);

            Patience.until("the worker has ended", () -> !process.isAlive());
        }
    }
}
