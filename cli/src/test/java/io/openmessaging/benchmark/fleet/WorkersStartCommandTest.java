package io.openmessaging.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.KeyMaker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * A script stands in for SSH: each machine is a folder. Another one stands in for the program there; a worker of this
 * process answers at its address.
 */
class WorkersStartCommandTest {

    private static final String SSH = """
            #!/bin/sh
            while [ $# -gt 2 ]; do shift; done
            [ "$1" != -G ] || { echo "hostname $(cat "%1$s/$2/hostname" 2>/dev/null || echo 127.0.0.1)"; exit 0; }
            [ -d "%1$s/$1" ] || { echo "ssh: connect to host $1 port 22: No route to host"; exit 255; }
            export HOME="%1$s/$1"
            exec sh -c "$2"
            """;
    private static final String WORKER = """
            #!/bin/sh
            echo "options: $*"
            cat lib/lib.jar drivers/kafka/driver.jar
            [ ! -e ../refuses ] || { echo "benchmark-worker: Java 17 or newer is needed"; exit 1; }
            echo "benchmark-worker 1.0: ready at https://0.0.0.0:$(cat ../port), log in results"
            [ ! -e ../ends ] || exit 3
            [ ! -e ../connection-ends ] || { kill -9 $PPID; exit 1; }
            echo "a line of its log"
            cat >../input
            """;

    @SuppressWarnings("NullAway.Init") // set before the first test
    private static Path key;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final StopSignal stop = new StopSignal();
    private final ServedWorkers servers = new ServedWorkers();
    private Build own = ServedWorkers.BUILD;

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

    @AfterEach
    void end() {
        servers.close();
    }

    /** Starts the worker of a machine; returns its address. */
    private String serve(String machine) throws Exception {
        WorkerServer server = servers.start(KeyFile.read(key), 0);
        write(machine + "/port", String.valueOf(server.address().getPort()));
        return server.url();
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
        return new CommandLine(new WorkersStartCommand(
                        stop, folder, folder.resolve("home"), folder.resolve("distribution"), () -> own))
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

    /** The folders of logs, one for each start. */
    private List<Path> logs() throws IOException {
        try (Stream<Path> folders = Files.list(folder.resolve("logs"))) {
            return folders.sorted().toList();
        }
    }

    @Test
    void workersThatAnswerStayUntilTheUserEndsThemAndLeaveTheirLogsHereAndNothingThere() throws Exception {
        String urls = serve("w1") + "," + serve("w2");
        CompletableFuture<Integer> command = inBackground("--ssh", "w1,w2", "--port", "4711", "--key", key.toString());
        Patience.until("both workers are ready", () -> out.toString().contains(" WORKLOAD"));

        assertThat(out.toString())
                .contains("copying 1 MB to w1, w2 …")
                .containsPattern("worker 2 \\(https://127.0.0.1:\\d+\\): .*, free")
                .contains("--workers " + urls + " --key " + key);
        assertThat(leftOn("w1")).hasSize(1);
        assertThat(logs()).hasSize(1);
        Path log = logs().get(0).resolve("worker-2-w2.log");
        Patience.until("the log is here", () -> Files.readString(log).contains("a line of its log"));
        assertThat(stop.consequence()).isEqualTo("the workers end, their logs are brought, their files are removed");
        stop.request();

        assertThat(Patience.get("the end", command)).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .endsWith("the logs of the workers are in " + folder.relativize(logs().get(0)) + "\n");
        assertThat(leftOn("w1")).isEmpty();
        assertThat(leftOn("w2")).isEmpty();
        assertThat(folder.resolve("w1/input")).isEmptyFile();
        assertThat(Files.readAllLines(log))
                .containsExactly(
                        "options: --host 0.0.0.0 --port 4711 --key bench.key --until-input-ends",
                        "a library",
                        "a driver",
                        "benchmark-worker 1.0: ready at https://0.0.0.0:" + Files.readString(folder.resolve("w2/port"))
                                + ", log in results",
                        "a line of its log",
                        "(the worker has ended with exit code 0)");
    }

    @Test
    void aMachineWithoutAWorkerIsNamedAndTheOthersAreFreed() throws Exception {
        serve("w1");
        Files.createFile(folder.resolve("w2/refuses"));
        assertThat(execute("--ssh", "w1,w2,nowhere", "--key", key.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("benchmark: workers: no worker on w2: ")
                        && line.contains("Java 17 or newer is needed"))
                .anyMatch(line -> line.startsWith("benchmark: workers: no worker on nowhere: ")
                        && line.contains("No route to host")
                        && line.endsWith(" -J bastion nowhere true' must work without a question"));
        assertThat(leftOn("w2")).isEmpty();
        Patience.until("w1 has removed what it received", () -> leftOn("w1").isEmpty());
    }

    @Test
    void aKeyIsMadeAndTheLogsOfAnEarlierStartAreKept() throws Exception {
        Files.createFile(folder.resolve("w1/refuses"));
        assertThat(execute("--ssh", "w1")).isEqualTo(1);
        assertThat(execute("--ssh", "w1")).isEqualTo(1);

        assertThat(out.toString()).containsOnlyOnce("bench.key created; anyone who has it can use the workers");
        assertThat(KeyFile.read(folder.resolve("bench.key"))).isNotNull();
        assertThat(logs())
                .hasSize(2)
                .allSatisfy(start ->
                        assertThat(start.resolve("worker-1-w1.log")).content().contains("Java 17 or newer is needed"));
    }

    @Test
    void aNameWithoutAnAddressIsRefusedBeforeAnythingIsCopied() throws Exception {
        write("w2/hostname", "no..where");
        assertThat(execute("--ssh", "w1,w2", "--key", key.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines("benchmark: workers: --ssh: w2: the name no..where cannot be resolved on"
                        + " this machine (DNS, /etc/hosts); it comes from 'ssh -G w2'\n");
        assertThat(out.toString()).isEmpty();
        assertThat(folder.resolve("logs")).doesNotExist();
    }

    @Test
    void aWorkerThatCannotBeUsedIsNamedAndEnded() throws Exception {
        String url = serve("w1");
        own = new Build("2.0", Map.of());
        assertThat(execute("--ssh", "w1", "--key", key.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("benchmark: workers: worker 1 (" + url + "): ")
                .contains("another build");
        assertThat(out.toString()).doesNotContain("ready;");
        assertThat(leftOn("w1")).isEmpty();
        assertThat(logs().get(0).resolve("worker-1-w1.log")).content().contains("ended with exit code 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ends | the worker on w1 has ended with exit code 3",
                "connection-ends | the connection to w1 has ended, and its worker ends, too"
            })
    void aWorkerThatEndsIsToldFromAConnectionThatDoes(String what, String how) throws Exception {
        serve("w1");
        Files.createFile(folder.resolve("w1").resolve(what));
        assertThat(execute("--ssh", "w1", "--key", key.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "benchmark: workers: " + how + "; see " + logs().get(0).resolve("worker-1-w1.log") + "\n");
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
