package io.openmessaging.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.KeyMaker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A script stands in for SSH: each machine is a folder. Another one stands in for the worker. */
class WorkersStartCommandTest {

    private static final String SSH = """
            #!/bin/sh
            while [ $# -gt 2 ]; do shift; done
            [ "$1" != -G ] || { echo "hostname $2.example"; exit 0; }
            [ -d "%1$s/$1" ] || { echo "ssh: Could not resolve hostname $1"; exit 255; }
            export HOME="%1$s/$1"
            exec sh -c "$2"
            """;
    private static final String WORKER = """
            #!/bin/sh
            echo "options: $*"
            [ ! -e ../../bench.key ] || cmp bench.key ../../bench.key
            cat lib/lib.jar drivers/kafka/driver.jar
            mkdir results && echo "the log of it" >results/benchmark-worker-4711.log
            [ ! -e ../refuses ] || { echo "benchmark-worker: Java 17 or newer is needed"; exit 1; }
            echo "benchmark-worker 1.0: ready at https://0.0.0.0:4711, log in results"
            [ -e ../ends ] || cat >../input
            """;

    @SuppressWarnings("NullAway.Init") // set before the first test
    private static Path key;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final StopSignal stop = new StopSignal();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    @BeforeAll
    static void makeKey(@TempDir Path shared) throws Exception {
        key = shared.resolve("shared.key");
        KeyMaker.make(key);
    }

    @BeforeEach
    void install() throws Exception {
        write("ssh", SSH.formatted(folder));
        write("home/bin/benchmark-worker", WORKER);
        write("home/bin/build", "");
        write("home/bin/environment.sh", "");
        write("distribution/lib/lib.jar", "a library\n");
        write("distribution/drivers/kafka/driver.jar", "a driver\n");
        Files.createDirectory(folder.resolve("w1"));
        Files.createDirectory(folder.resolve("w2"));
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int execute(String... arguments) {
        List<String> all = Stream.concat(
                        Stream.of(arguments),
                        Stream.of("--ssh-command", folder.resolve("ssh") + " -J bastion", "--logs", "logs"))
                .toList();
        return new CommandLine(
                        new WorkersStartCommand(stop, folder, folder.resolve("home"), folder.resolve("distribution")))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    private CompletableFuture<Integer> inBackground(String... arguments) {
        return CompletableFuture.supplyAsync(() -> execute(arguments));
    }

    private List<Path> leftOn(String machine) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(machine))) {
            return files.filter(file -> file.getFileName().toString().startsWith("benchmark-"))
                    .toList();
        }
    }

    @Test
    void workersStayUntilTheUserEndsThemAndLeaveTheirLogsHereAndNothingThere() throws Exception {
        CompletableFuture<Integer> command = inBackground("--ssh", "w1,w2", "--port", "4711");
        Patience.until("both workers are ready", () -> out.toString().contains("ready;"));

        assertThat(out.toString())
                .contains("bench.key created; anyone who has it can use the workers")
                .contains("--workers https://w1.example:4711,https://w2.example:4711 --key bench.key");
        assertThat(leftOn("w1")).hasSize(1);
        stop.request();

        assertThat(Patience.get("the end", command)).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(leftOn("w1")).isEmpty();
        assertThat(leftOn("w2")).isEmpty();
        assertThat(folder.resolve("w1/input")).isEmptyFile();
        assertThat(Files.readAllLines(folder.resolve("logs/w2.log")))
                .containsExactly(
                        "options: --host 0.0.0.0 --port 4711 --key bench.key --until-input-ends",
                        "a library",
                        "a driver",
                        "benchmark-worker 1.0: ready at https://0.0.0.0:4711, log in results",
                        "the log of it");
        assertThat(KeyFile.read(folder.resolve("bench.key"))).isNotNull();
    }

    @Test
    void aMachineWithoutAWorkerIsNamedAndTheOthersAreFreed() throws Exception {
        Files.createFile(folder.resolve("w2/refuses"));
        assertThat(execute("--ssh", "w1,w2,nowhere", "--key", key.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("benchmark: workers: no worker on w2: ")
                        && line.contains("Java 17 or newer is needed"))
                .anyMatch(line -> line.startsWith("benchmark: workers: no worker on nowhere: ")
                        && line.contains("Could not resolve hostname")
                        && line.endsWith(" -J bastion nowhere true' must work without a question"));
        assertThat(leftOn("w2")).isEmpty();
        Patience.until("w1 has removed what it received", () -> leftOn("w1").isEmpty());
    }

    @Test
    void aWorkerThatEndsIsReported() throws Exception {
        Files.createFile(folder.resolve("w1/ends"));
        assertThat(execute("--ssh", "w1", "--key", key.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "benchmark: workers: the worker on w1 has ended; see " + folder.resolve("logs/w1.log") + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ssh w1,w1 | --ssh: w1 is given twice; one machine needs one worker",
                "--ssh -oProxyCommand=x | --ssh: '-oProxyCommand=x' is no machine; use names such as w1 or admin@w1",
                "--ssh w1 --port 70000 | --port: must be a port from 1 to 65535, or 0 for any free port, got 70000",
                "--ssh w1 --key home/bin/build | home/bin/build: ",
            })
    void wrongOptionsAreRefused(String arguments, String why) {
        assertThat(execute(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("benchmark: workers: ").contains(why);
        assertThat(out.toString()).isEmpty();
    }
}
