package io.openmessaging.benchmark.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.broker.launch.Processes;
import io.openmessaging.benchmark.broker.launch.TestBroker;
import io.openmessaging.benchmark.broker.launch.TestNode;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests in which everything except the broker's name is real: processes, files, signals. */
@StartsProcesses
class BrokerCommandTest {

    @TempDir
    Path home;

    private TestBroker broker = new TestBroker(TestNode.Behaviour.SERVE_UNTIL_TOLD, Patience.LIMIT);
    private Duration grace = Patience.LIMIT;
    private BrokerCalls calls;

    @BeforeEach
    void makeCalls() {
        calls = new BrokerCalls(home);
    }

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
        assertThat(output()).isEqualTo("test is not running\n");
        assertThat(errors()).isEmpty();
    }

    @Test
    void withoutANameShowsTheStatusOfAllThatRun() {
        assertThat(run("status")).isOne();
        assertThat(output()).isEqualTo("no broker is running\n");

        assertThat(run("start test")).isZero();
        assertThat(run("status")).isZero();
        assertThat(output()).startsWith("Test Broker 1.0 at ").contains("running");
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
                        + " can use this test; --auth requires a login");
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
        // The starter's watcher ends by itself, a moment after the starter.
        Processes.awaitNoneNaming(data());
    }

    /** This home contains no Maven that could fetch the exporter. */
    @Test
    void anExporterIsWishedForButNotNeeded() {
        assertThat(run("start test --exporter")).isZero();

        assertThat(output())
                .contains(
                        "heap and garbage collection of the broker are not measured: cannot fetch JMX exporter: there is"
                                + " no program " + home.resolve("mvnw") + "\nTest Broker 1.0 at ");
    }

    @Test
    void refusesToStartASecondOne() {
        assertThat(run("start test --port 5000")).isZero();

        assertThat(run("start test")).isOne();

        assertThat(errors())
                .isEqualTo(
                        "bin/broker start: test is already running: Test Broker 1.0 at 127.0.0.1:5000; bin/broker stop"
                                + " test stops it\n");
        Processes.awaitNaming(data(), 1);
    }

    @Test
    void aFailingStartIsOneMessageAndLeavesNothing() {
        broker = new TestBroker(TestNode.Behaviour.FAIL, Patience.LIMIT);

        assertThat(run("start test")).isOne();

        assertThat(errors())
                .startsWith("bin/broker start: test-1 (pid ")
                .contains("the disk has no room")
                .doesNotContain("\tat ");
        // The starter's watcher ends by itself, a moment after the starter.
        Processes.awaitNoneNaming(data());
        assertThat(run("status test")).isOne();
        assertThat(output()).isEqualTo("test is not running\n");
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
        broker = new TestBroker(TestNode.Behaviour.SERVE_STUBBORNLY, Patience.LIMIT);
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
        assertThat(output()).startsWith("removing what an earlier test left behind\nTest Broker 1.0 at ");
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
        Patience.await("both to say hello again")
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

    @Test
    void saysWhatCannotBeDoneToANode() throws Exception {
        assertThat(run("start test --nodes 2")).isZero();
        end(1);

        Map.of(
                        "kill test test-3",
                        "bin/broker kill: unknown node 'test-3'; known nodes: test-1, test-2",
                        "start test test-2",
                        "bin/broker start: test-2 is already running as pid ",
                        "kill test test-1",
                        "bin/broker kill: test-1 is not running",
                        "stop test test-1",
                        "bin/broker stop: test-1 is not running",
                        "pause test test-1",
                        "bin/broker pause: test-1 is not running")
                .forEach((arguments, message) -> {
                    assertThat(run(arguments)).as(arguments).isOne();
                    assertThat(errors().lines()).singleElement().asString().startsWith(message);
                });
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
    void followsALogUntilTheBrokerEnds() throws Exception {
        assertThat(run("start test")).isZero();
        CompletableFuture<Integer> following = CompletableFuture.supplyAsync(() -> run("logs test -f -n 1"));
        Patience.await("the line in the log").until(() -> output().contains("hello\n"));

        Files.writeString(log(1), "half a line, ", StandardOpenOption.APPEND);
        Files.writeString(log(1), "and the other half\n", StandardOpenOption.APPEND);
        Patience.await("the line added").until(() -> output().endsWith("and the other half\n"));
        end(1);

        assertThat(Patience.get("following", following)).isZero();
        assertThat(output()).startsWith("test node says hello\nhalf a line, and the other half\n");
    }

    private int run(String arguments) {
        return calls.run(broker, grace, arguments);
    }

    private String output() {
        return calls.output();
    }

    private String errors() {
        return calls.errors();
    }

    private Path runFolder() {
        return calls.runFolder();
    }

    /** Returns the nodes' folder; the command lines of the nodes name files in it. */
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
