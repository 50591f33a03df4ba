package io.openmessaging.benchmark.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.launch.TestBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the output of commands that neither start nor stop anything. */
class BrokerArgumentsTest {

    @TempDir
    Path home;

    private BrokerCalls calls;

    @BeforeEach
    void makeCalls() {
        calls = new BrokerCalls(home);
    }

    @ParameterizedTest
    @CsvSource({"stop, bin/broker stop", "logs, bin/broker logs"})
    void saysThatNothingRuns(String command, String name) {
        assertThat(run(command + " test")).isOne();

        assertThat(errors()).isEqualTo(name + ": test is not running\n");
    }

    @Test
    void saysThatItsRecordIsDamaged() throws Exception {
        Files.writeString(Files.createDirectories(runFolder()).resolve("record.json"), """
                {"product": "Test Broker", "version": "1.0", "addresses": [], "endpoints": {}, "limitGroups": []}
                """);

        assertThat(run("start test")).isOne();

        assertThat(errors())
                .isEqualTo("bin/broker start: " + runFolder().resolve("record.json")
                        + " is damaged (Missing creator property 'nodes' (index 4)): stop test by hand and remove "
                        + runFolder() + "\n");
    }

    @Test
    void oneCallAtATimeStartsOrStops() throws Exception {
        int exitCode = new RunFolder(home, "test").exclusively(() -> run("start test"));

        assertThat(exitCode).isOne();
        assertThat(errors()).isEqualTo("bin/broker start: another bin/broker is starting or stopping test\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | bin/broker: Missing required subcommand",
                "start | bin/broker start: Missing required parameter: 'NAME'",
                "start nats | unknown broker 'nats'; known brokers: test",
                "start test --nodes 0 | bin/broker start: nodes must be at least 1, got 0",
                "start test --nodes many | 'many' is not an int",
                "start test --port 70000 | bin/broker start: port must be between 0 and 65535, got 70000",
                "start test --host 198.51.100.7 | bin/broker start: host must be an IPv4 address of this machine (127.0.0.1",
                "start test --host 224.0.0.1 | got 224.0.0.1",
                "start test --host 0.0.0.0 | got 0.0.0.0",
                "start test --host somewhere | got somewhere",
                "start test --heap big | bin/broker start: heap must be a size such as 512m or 2g, got big",
                "start test test-1 --nodes 3 | a node restarts with its original options: omit the options",
                "kill test | bin/broker kill: Missing required parameter: 'NODE'",
                "stop test --now | bin/broker stop: Unknown option: '--now'",
                "destroy test | bin/broker: unknown command 'destroy'; known commands: start, ",
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
        return calls.run(TestBroker.serving(), Duration.ZERO, arguments);
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
}
