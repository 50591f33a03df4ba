package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogEndTest {

    @TempDir
    Path temp;

    private Path log;

    @BeforeEach
    void name() {
        log = temp.resolve("node.log");
    }

    @Test
    void showsProblemsWithoutStackFramesAndWithoutTheShutdownAfterwards() throws IOException {
        Files.writeString(log, """
                10:00 INFO starting, Error handling is on
                10:00 INFO reading the configuration
                10:00 INFO opening the log
                10:01 INFO listening
                10:01 ERROR cannot start
                some.BindException: Address already in use
                \tat some.Server.bind(Server.java:12)
                \tat some.Server.start(Server.java:8)
                Caused by: other.Exception: port 9092
                \t... 17 more

                10:01 INFO shutting down
                Caused by: other.Exception: port 9092
                10:01 INFO noOp: unable to start because of RejectedExecutionException
                10:01 INFO closing the log
                10:02 INFO shut down
                """);

        assertThat(LogEnd.cause(log).lines())
                .containsExactly(
                        "  10:01 ERROR cannot start",
                        "  some.BindException: Address already in use",
                        "  Caused by: other.Exception: port 9092");
    }

    @Test
    void findsTheReasonInALogOfErlang() throws IOException {
        Files.writeString(log, """
                10:00 [info] <0.1.0> starting
                10:00 [notice] <0.1.0> Error handler in place
                10:01 [error] <0.1.0> Error preparing the configuration:
                10:01 [error] <0.1.0>   - no setting of that name
                10:01 [error] <0.1.0>\s
                10:01 [error] <0.1.0> ===========
                10:02 [error] <0.1.0>   crasher:
                10:02 [error] <0.1.0>     exception exit: {shutdown,
                10:02 [error] <0.1.0>                      {failed_to_start}}
                10:02 [error] <0.1.0>   neighbours:
                10:02 [warning] <0.1.0> Exception in a dependent process
                10:02 [info] <0.1.0> one
                10:02 [info] <0.1.0> two
                10:02 [info] <0.1.0> three
                10:02 [info] <0.1.0> four
                """);

        assertThat(LogEnd.cause(log).lines())
                .containsExactly(
                        "  10:01 [error] <0.1.0> Error preparing the configuration:",
                        "  10:01 [error] <0.1.0>   - no setting of that name");
    }

    @Test
    void showsAShortLogAsAWhole() throws IOException {
        Files.writeString(log, "Error occurred during initialization of VM\nToo small maximum heap\n");

        assertThat(LogEnd.cause(log))
                .isEqualTo("  Error occurred during initialization of VM\n  Too small maximum heap");
    }

    @Test
    void showsTheLastLinesOfALogWithoutProblems() throws IOException {
        Files.writeString(
                log, IntStream.range(0, 50_000).mapToObj(i -> "line " + i).collect(Collectors.joining("\n")));

        assertThat(LogEnd.cause(log).lines())
                .hasSize(8)
                .startsWith("  line 49992")
                .endsWith("  line 49999");
    }

    @Test
    void saysThatThereIsNothing() throws IOException {
        assertThat(LogEnd.cause(log)).startsWith("  (no log: ");

        Files.createFile(log);

        assertThat(LogEnd.cause(log)).isEqualTo("  (the log is empty)");
    }
}
