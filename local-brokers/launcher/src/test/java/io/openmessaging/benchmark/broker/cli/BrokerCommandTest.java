package io.openmessaging.benchmark.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.broker.launch.Processes;
import io.openmessaging.benchmark.broker.launch.TestBroker;
import io.openmessaging.benchmark.broker.launch.TestNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Everything but the name of the broker is real: processes, files, signals. */
@Timeout(90)
class BrokerCommandTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path home;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private TestBroker broker = new TestBroker(TestNode.Behaviour.SERVE_UNTIL_TOLD, LIMIT);
    private Duration grace = LIMIT;

    @AfterEach
    void endWhatIsLeft() {
        Processes.naming(home).forEach(ProcessHandle::destroyForcibly);
        Processes.awaitNoneNaming(home);
    }

    @Test
    void startsShowsAndStops() {
        assertThat(run("start test --nodes 2")).isZero();
        assertThat(output())
                .startsWith("Test Broker 1.0 at 127.0.0.1:4711,127.0.0.1:4712\n  test-1  pid ")
                .contains("\n  test-2  pid ", "log " + log(2));
        Processes.awaitNaming(data(), 2);

        assertThat(run("status test")).isZero();
        assertThat(output()).startsWith("Test Broker 1.0 at ").contains("running");

        assertThat(run("logs test")).isZero();
        assertThat(output()).isEqualTo("test-1 | test node says hello\ntest-2 | test node says hello\n");

        assertThat(run("stop test")).isZero();
        assertThat(output()).isEqualTo("stopped test\n");
        assertThat(Processes.naming(data())).isEmpty();
        assertThat(runFolder()).doesNotExist();

        assertThat(run("status test")).isOne();
        assertThat(output()).isEqualTo("test does not run\n");
        assertThat(errors()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void listensWhereItIsToldTo() {
        assertThat(run("start test --host 127.0.0.2")).isZero();
        assertThat(output()).startsWith("Test Broker 1.0 at 127.0.0.2:4711\n").doesNotContain("warning");

        assertThat(run("status test")).isZero();
        assertThat(output()).startsWith("Test Broker 1.0 at 127.0.0.2:4711\n");
    }

    @Test
    void warnsOfAnAddressThatOthersReach() throws Exception {
        Optional<String> address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(candidate -> candidate instanceof Inet4Address && !candidate.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst();
        assumeTrue(address.isPresent(), "this machine is in no network");

        assertThat(run("start test --host " + address.get())).isZero();

        assertThat(output().lines())
                .endsWith("warning: no authentication: anyone on the network of " + address.get()
                        + " can use this test; --auth has it ask for a login");
    }

    @Test
    void aSecuredBrokerHasADriverFileAndAFolderOfItsOwner() throws Exception {
        assertThat(run("start test --tls --auth")).isZero();

        Path driverFile = data().resolve("driver.yaml");
        assertThat(output()).contains("\n  driver file  " + driverFile);
        Path password = data().resolve("credentials/password").toAbsolutePath();
        assertThat(driverFile).hasContent("password: ${file:" + password + "}");
        assertThat(Files.readString(password)).matches("[0-9a-f]{32}\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data())))
                .isEqualTo("rwx------");
        assertThat(data().resolve("credentials"))
                .isDirectoryContaining("glob:**/broker.p12")
                .isDirectoryContaining("glob:**/client.key")
                .isDirectoryContaining("glob:**/trusted.crt");

        assertThat(run("stop test")).isZero();
        assertThat(data()).doesNotExist();
    }

    @Test
    void nobodyTakesABrokerForSecuredThatIsNot() {
        assertThat(run("start test --tls --set insecure=true")).isOne();
        assertThat(errors()).contains("Test Broker cannot be started with --tls or --auth; leave them out");
        assertThat(Processes.naming(data())).isEmpty();
    }

    /** There is no Maven in this home to fetch it with. */
    @Test
    void anExporterIsWishedForButNotNeeded() {
        assertThat(run("start test --exporter")).isZero();

        assertThat(output())
                .contains("heap and garbage collection of the broker are not known: cannot fetch JMX exporter: there is"
                        + " no program " + home.resolve("mvnw") + "\nTest Broker 1.0 at ");
    }

    @Test
    void refusesToStartASecondOne() {
        assertThat(run("start test --port 5000")).isZero();

        assertThat(run("start test")).isOne();

        assertThat(errors())
                .isEqualTo(
                        "bin/broker start: test runs already: Test Broker 1.0 at 127.0.0.1:5000; bin/broker stop test ends it\n");
        Processes.awaitNaming(data(), 1);
    }

    @Test
    void aFailingStartIsOneMessageAndLeavesNothing() {
        broker = new TestBroker(TestNode.Behaviour.FAIL, LIMIT);

        assertThat(run("start test")).isOne();

        assertThat(errors())
                .startsWith("bin/broker start: test-1 (pid ")
                .contains("the disk has no room")
                .doesNotContain("\tat ");
        assertThat(Processes.naming(data())).isEmpty();
        assertThat(run("status test")).isOne();
        assertThat(output()).isEqualTo("test does not run\n");
    }

    @ParameterizedTest
    @CsvSource({"stop, bin/broker stop", "logs, bin/broker logs"})
    void saysThatNothingRuns(String command, String name) {
        assertThat(run(command + " test")).isOne();

        assertThat(errors()).isEqualTo(name + ": test does not run\n");
    }

    @Test
    void putsDataAsideWhenAsked() throws Exception {
        assertThat(run("start test")).isZero();

        assertThat(run("stop test --keep-data")).isZero();

        assertThat(output()).startsWith("stopped test; data and logs are in " + home.resolve(".brokers/kept/test-"));
        Path kept = Path.of(output().strip().replaceFirst(".* are in ", ""));
        assertThat(kept.resolve("test-1/test-1.log")).content().contains("test node says hello");
        assertThat(runFolder()).doesNotExist();
    }

    @Test
    void killsANodeThatDoesNotEnd() {
        broker = new TestBroker(TestNode.Behaviour.SERVE_STUBBORNLY, LIMIT);
        grace = Duration.ofSeconds(1);
        assertThat(run("start test")).isZero();

        assertThat(run("stop test")).isZero();

        assertThat(output()).isEqualTo("killing test-1, which did not end within 1 s\nstopped test\n");
        assertThat(Processes.naming(data())).isEmpty();
        assertThat(runFolder()).doesNotExist();
    }

    @Test
    void tellsThatANodeHasEndedAndStartsAnewWhenAllHave() throws Exception {
        assertThat(run("start test --nodes 2")).isZero();
        end(1);

        assertThat(run("status test")).isOne();
        assertThat(output()).contains("test-1  pid ", "  ended  ", "test-2  pid ", "  running  ");
        assertThat(run("start test")).as("one node still runs").isOne();

        end(2);
        assertThat(run("start test")).isZero();
        assertThat(output()).startsWith("removing what a test that has ended left behind\nTest Broker 1.0 at ");
        Processes.awaitNaming(data(), 1);
    }

    @Test
    void aNodeIsKilledStoppedAndStartedAgain() {
        assertThat(run("start test --nodes 2")).isZero();

        assertThat(run("kill test test-1")).isZero();
        assertThat(output()).startsWith("killed test-1 (pid ");
        assertThat(run("stop test test-2")).isZero();
        assertThat(output()).startsWith("stopped test-2 (pid ");
        assertThat(Processes.naming(data())).isEmpty();
        assertThat(run("status test")).isOne();
        assertThat(output()).contains("test-1  pid ", "  ended  ").doesNotContain("running");

        assertThat(run("start test test-1")).isZero();
        assertThat(output()).startsWith("started test-1 (pid ");
        assertThat(run("start test test-2")).isZero();
        Processes.awaitNaming(data(), 2);
        assertThat(run("status test")).isZero();
        await("both to say hello again")
                .atMost(LIMIT)
                .until(() -> Files.readString(log(1)).lines().count() == 2
                        && Files.readString(log(2)).lines().count() == 2);
        assertThat(run("stop test")).isZero();
        assertThat(Processes.naming(data())).isEmpty();
        assertThat(errors()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aPausedNodeStandsStillUntilItIsResumedOrStopped() {
        assertThat(run("start test")).isZero();

        assertThat(run("pause test test-1")).isZero();
        assertThat(output()).startsWith("paused test-1 (pid ");
        assertThat(run("status test")).isZero();
        assertThat(output()).contains("  paused  ");
        assertThat(run("resume test test-1")).isZero();
        assertThat(run("status test")).isZero();
        assertThat(output()).contains("  running  ");

        assertThat(run("pause test test-1")).isZero();
        assertThat(run("stop test")).as("without waiting until it is killed").isZero();
        assertThat(output()).isEqualTo("stopped test\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill test test-3 | bin/broker kill: no node is called 'test-3'; there is test-1, test-2",
                "start test test-2 | bin/broker start: test-2 runs already, as pid ",
                "kill test test-1 | bin/broker kill: test-1 does not run",
                "stop test test-1 | bin/broker stop: test-1 does not run",
                "pause test test-1 | bin/broker pause: test-1 does not run",
            })
    void saysWhatCannotBeDoneToANode(String arguments, String message) throws Exception {
        assertThat(run("start test --nodes 2")).isZero();
        end(1);

        assertThat(run(arguments)).isOne();

        assertThat(errors().lines()).singleElement().asString().startsWith(message);
    }

    @Test
    void neverSignalsAProcessThatIsNotTheBroker() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Path record = Files.createDirectories(runFolder()).resolve("record.json");
            Files.writeString(record, """
                    {"product": "Test Broker", "version": "1.0", "addresses": ["127.0.0.1:4711"], "endpoints": {},
                     "nodes": [{"name": "test-1", "pid": %d, "startedAtMs": 1, "log": "test-1.log",
                                "launch": {"command": [], "environment": {}, "removedVariables": [], "folder": "."}}],
                     "limitGroups": []}
                    """.formatted(stranger.pid()));

            assertThat(run("stop test")).isZero();

            assertThat(stranger.isAlive()).isTrue();
            assertThat(runFolder()).doesNotExist();
        } finally {
            stranger.destroyForcibly().waitFor();
        }
    }

    @Test
    void saysThatItsRecordIsDamaged() throws Exception {
        Files.writeString(Files.createDirectories(runFolder()).resolve("record.json"), """
                {"product": "Test Broker", "version": "1.0", "addresses": [], "endpoints": {}, "limitGroups": []}
                """);

        assertThat(run("start test")).isOne();

        assertThat(errors())
                .isEqualTo("bin/broker start: " + runFolder().resolve("record.json")
                        + " is damaged (Missing creator property 'nodes' (index 4)): end test by hand and remove "
                        + runFolder() + "\n");
    }

    @Test
    void oneCallAtATimeStartsOrStops() throws Exception {
        int exitCode = new RunFolder(home, "test").exclusively(() -> run("start test"));

        assertThat(exitCode).isOne();
        assertThat(errors()).isEqualTo("bin/broker start: another bin/broker is starting or stopping test\n");
    }

    @Test
    void followsALogUntilTheBrokerEnds() throws Exception {
        assertThat(run("start test")).isZero();
        clear();
        CompletableFuture<Integer> following = CompletableFuture.supplyAsync(() -> execute("logs test -f -n 1"));
        await("the line in the log").atMost(LIMIT).until(() -> out.toString().contains("hello\n"));

        Files.writeString(log(1), "half a line, ", StandardOpenOption.APPEND);
        Files.writeString(log(1), "and the other half\n", StandardOpenOption.APPEND);
        await("the line added").atMost(LIMIT).until(() -> out.toString().endsWith("and the other half\n"));
        end(1);

        assertThat(following.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isZero();
        assertThat(output()).startsWith("test node says hello\nhalf a line, and the other half\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | bin/broker: Missing required subcommand",
                "start | bin/broker start: Missing required parameter: 'NAME'",
                "start nats | no broker is called 'nats'; there is test",
                "start test --nodes 0 | bin/broker start: nodes must be at least 1, got 0",
                "start test --nodes many | 'many' is not an int",
                "start test --port 70000 | bin/broker start: port must be between 0 and 65535, got 70000",
                "start test --host 198.51.100.7 | bin/broker start: host must be an IPv4 address of this machine (127.0.0.1",
                "start test --host 224.0.0.1 | got 224.0.0.1",
                "start test --host 0.0.0.0 | got 0.0.0.0",
                "start test --host somewhere | got somewhere",
                "start test --heap big | bin/broker start: heap must be a size such as 512m or 2g, got big",
                "start test test-1 --nodes 3 | a node restarts with its first options: options are for the start of a broker",
                "kill test | bin/broker kill: Missing required parameter: 'NODE'",
                "stop test --now | bin/broker stop: Unknown option: '--now'",
                "destroy test | bin/broker: no command is called 'destroy'; there is start, ",
                "--nonsense | bin/broker: Unknown option: '--nonsense'",
            })
    void wrongArgumentsAreOneSentence(String arguments, String message) {
        assertThat(run(arguments)).isEqualTo(2);

        assertThat(errors().lines()).singleElement().asString().contains(message);
    }

    @Test
    void helpIsNoFailureAndOneScreen() {
        assertThat(run("--help")).isZero();
        assertThat(output()).contains("start", "stop", "status", "logs");
        assertThat(output().lines().count()).isLessThanOrEqualTo(40);

        assertThat(run("start --help")).isZero();
        assertThat(output()).contains("--nodes", "--host", "--port", "--heap");
        assertThat(output().lines().count()).as(output()).isLessThanOrEqualTo(40);
    }

    private int run(String arguments) {
        clear();
        return execute(arguments);
    }

    private int execute(String arguments) {
        CommandLine command = BrokerCommand.commandLine(home, List.of(broker), grace);
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }

    private void clear() {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
    }

    private String output() {
        return out.toString();
    }

    private String errors() {
        return err.toString();
    }

    private Path runFolder() {
        return home.resolve(".brokers/run/test");
    }

    /** Where the nodes are: what they are started with names files in there. */
    private Path data() {
        return runFolder().resolve("broker");
    }

    private Path log(int node) {
        return data().resolve("test-" + node + "/test-" + node + ".log");
    }

    private void end(int node) throws IOException {
        int left = Processes.naming(data()).size() - 1;
        Files.createFile(log(node).resolveSibling("end"));
        Processes.awaitNaming(data(), left);
    }
}
