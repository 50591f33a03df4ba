package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake of a user is answered with sentences: no stack trace, no class of Java, no control characters. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class MistakesTest {

    private static final String ZERO = "a\0b";
    private static final String ESCAPE = "a\u001b[31mb";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
        installation.file("driver.yaml", TestInstallation.DRIVER);
        installation.file("workload.yaml", TestInstallation.WORKLOAD);
        installation.file("empty.yaml", "");
        installation.file("text.yaml", "no keys");
        installation.file("control.yaml", TestInstallation.WORKLOAD + "name: \"a\\e[31m\\nb\"");
        installation.file("zero.yaml", TestInstallation.WORKLOAD + "payloadFile: \"a\\0b\"");
        installation.file("key.yaml", TestInstallation.WORKLOAD + "\"a\\nb\": 1");
        installation.file("bytes.yaml", TestInstallation.WORKLOAD);
        Files.write(installation.current().resolve("bytes.yaml"), new byte[] {'a', ':', ' ', (byte) 0xff, 0, 1});
        Files.createDirectories(installation.current().resolve("folder.yaml"));
        installation.file("file", "a file");
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    private static Arguments of(String... arguments) {
        return Arguments.of(List.of(arguments));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                of("-d", "HERE/driver.yaml", ZERO),
                of("-d", ZERO, "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "-o", ZERO, "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "-c", ZERO, "HERE/workload.yaml"),
                of("--csv", ZERO),
                of("plan", ZERO),
                of("plan", ESCAPE),
                of("judge", ZERO),
                of("judge", "HERE"),
                of("judge", "HERE/file"),
                of("quick", ZERO),
                of("quick", ESCAPE),
                of("explain", ESCAPE),
                of("list", ESCAPE),
                of(ESCAPE),
                of("--" + ESCAPE),
                of("-d", ESCAPE, ESCAPE),
                of("-d", "HERE", "HERE"),
                of("-d", "HERE/folder.yaml", "HERE/folder.yaml"),
                of("-d", "HERE/file/driver.yaml", "HERE/file/workload.yaml"),
                of("-d", "HERE/empty.yaml", "HERE/empty.yaml"),
                of("-d", "HERE/text.yaml", "HERE/text.yaml"),
                of("-d", "HERE/bytes.yaml", "HERE/bytes.yaml"),
                of("-d", "HERE/workload.yaml", "HERE/driver.yaml"),
                of("-d", "HERE/driver.yaml", "HERE/control.yaml"),
                of("-d", "HERE/driver.yaml", "HERE/zero.yaml"),
                of("-d", "HERE/driver.yaml", "HERE/key.yaml"),
                of("-d", "HERE/driver.yaml", "-o", "HERE/folder.yaml", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "-o", "HERE/file/result.json", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "-o", "/proc/1/no/result.json", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--csv", "HERE/file", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "-wf", ZERO, "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "-wf", "HERE/folder.yaml", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--workers", "http://a b:1", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--workers", ESCAPE, "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--workers", "https://127.0.0.1:1", "--key", ZERO, "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--workers", "https://127.0.0.1:1", "--key", "HERE", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--brokers", ESCAPE, "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--metrics-port", "1", "--metrics-host", ESCAPE, "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--ui", "--ui-host", "no such host", "HERE/workload.yaml"),
                of("-d", "HERE/driver.yaml", "--local-nodes", "many", "HERE/workload.yaml"),
                of("--plan", "HERE/text.yaml"),
                of("--plan", "HERE"),
                of("--judge", "HERE/nowhere"),
                of("@HERE/no-such-arguments"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsASentence(List<String> arguments) {
        String here = installation.current().toString();
        Outcome outcome = installation.run(arguments.stream()
                .map(argument -> argument.replace("HERE", here))
                .toArray(String[]::new));
        assertThat(outcome.err()).isNotBlank().doesNotContain("\tat ", "should not happen", "java.", "\0", "\u001b");
        assertThat(outcome.exitCode()).as(outcome.err()).isIn(1, 2);
    }

    @Test
    void choicesAreListedAsUsersWriteThem() {
        assertThat(installation
                        .run("--worker-limit", "lots=1s", "-d", "driver.yaml", "workload.yaml")
                        .err())
                .contains("expected one of [connect, answer, prepare, step, free, suspect, lost]");
        assertThat(installation
                        .run("--roles", "Half", "-d", "driver.yaml", "workload.yaml")
                        .err())
                .contains("expected one of [mixed, split]", "'Half'");
    }

    /** Each of these sentences is on one line, with the file that it is about. */
    @Test
    void controlCharactersAreToldAndNotObeyed() {
        String here = installation.current().toString();
        assertThat(installation
                        .run("-d", here + "/driver.yaml", here + "/control.yaml", here + "/key.yaml")
                        .err()
                        .lines())
                .containsExactly(
                        "FOLDER/current/control.yaml: name: must not contain control characters, such as line breaks, got"
                                + " 'a\\u001b[31m\\nb'",
                        "FOLDER/current/key.yaml: a\\nb: unknown key");
    }

    /** A run would find this only at its end, or after a broker was started. */
    @Test
    void aDryRunFindsResultsThatCannotBeWritten() throws IOException {
        String here = installation.current().toString();
        String[] dry = {"--dry-run", "-d", here + "/driver.yaml", here + "/workload.yaml"};
        assertThat(installation.run(with(dry, "-o", here + "/file/result.json")).err())
                .isEqualTo("benchmark: FOLDER/current/file: cannot write results: FOLDER/current/file is in the"
                        + " way: a file, not a folder\n");
        Files.delete(installation.current().resolve("folder.yaml"));
        installation.file("results", "a file");
        assertThat(installation.run(dry).err()).contains("cannot write results: FOLDER/current/results is in");
        Outcome fine = installation.run(with(dry, "-o", here + "/new/folder/result.json"));
        assertThat(fine.exitCode()).as(fine.err()).isZero();
        assertThat(installation.current().resolve("new")).doesNotExist();
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
    }
}
