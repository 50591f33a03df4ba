package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import io.openmessaging.benchmark.cli.console.ConsoleRow;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.omb.OmbFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Commands that help users to find their way: names, lists, the doctor, completion. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class CatalogCommandsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
        write("driver-fake/fake.yaml", "# Does nothing.\n" + TestInstallation.DRIVER);
        write("workloads/small/ten.yaml", "# Ten messages.\n" + TestInstallation.WORKLOAD);
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    private void write(String name, String text) throws IOException {
        Path file = installation.home().resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, text);
    }

    @Test
    void driversAndWorkloadsHaveShortNames() {
        Outcome outcome = installation.run("--dry-run", "-d", "fake", "small/ten");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("driver-fake/fake.yaml", "workloads/small/ten.yaml");
    }

    @Test
    void unknownNamesAreCorrected() {
        Outcome outcome = installation.run("-d", "fakee", "small/tenn");
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(outcome.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("fakee: there is no such driver file, did you mean fake?"),
                        line -> assertThat(line)
                                .startsWith("small/tenn: there is no such workload, did you mean small/ten?"));
    }

    @Test
    void driversOfOmbAreListedWithTheirFolder() throws IOException {
        OmbFixture.install(folder.resolve("distribution/drivers/omb"), OmbFixture.Generation.WITH_LISTS);
        Outcome outcome = installation.run("list", "drivers");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .contains("drivers of OMB")
                .containsPattern("(?m)^  example\\.queue\\.QueueBenchmarkDriver +drivers/omb$");
        assertThat(installation.run("list", "drivers", "Queue").exitCode()).isZero();
    }

    @Test
    void aFolderWhoseDriversOfOmbCannotBeUsedIsListedWithTheReason() throws IOException {
        Path omb = folder.resolve("distribution/drivers/omb");
        OmbFixture.install(omb, OmbFixture.Generation.WITH_LISTS);
        Files.delete(omb.resolve("api.jar"));
        assertThat(installation.run("list", "drivers").out())
                .containsPattern(
                        "(?m)^  \\(cannot be used\\) +drivers/omb has a driver that was built for OMB, and not the"
                                + " class \\S+ConsumerCallback of OMB's API: copy driver-api-\\*\\.jar there");
    }

    @Test
    void everythingThatComesWithItIsListed() {
        Outcome outcome = installation.run("list");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .containsPattern("(?m)^  fake +Does nothing\\.$")
                .containsPattern("(?m)^  small/ten +Ten messages\\.$")
                .containsPattern("(?m)^  \\S+ +a broker for tests$");
    }

    @Test
    void whatIsNotThereIsRefused() {
        assertThat(installation.run("list", "driver").err())
                .isEqualTo("benchmark: list: WHAT must be drivers, brokers, workloads or plans, got 'driver', did you"
                        + " mean 'bin/benchmark list drivers'?\n");
    }

    @Test
    void aNameThatIsListedElsewhereIsSuggested() {
        assertThat(installation.run("list", "ten").err())
                .isEqualTo("benchmark: list: WHAT must be drivers, brokers, workloads or plans, got 'ten', did you"
                        + " mean 'bin/benchmark list workloads ten'?\n");
    }

    @Test
    void theStartOfANameIsCorrected() throws IOException {
        write("workloads/kaczor-2022/plan.yaml", "experiments: []\n");
        assertThat(installation.run("plan", "kaczor").err())
                .startsWith("kaczor: there is no such plan, did you mean kaczor-2022?");
    }

    @Test
    void linesWrapAtTheWidthOfTheTerminalBelowTheDescription() {
        assertThat(ConsoleRow.of("name", 6, "some words that wrap here", 18))
                .isEqualTo("name   some words\n       that wrap\n       here");
        assertThat(ConsoleRow.of("a-long-name", 6, "unbreakable-word next", 12))
                .isEqualTo("a-long-name\n       unbreakable-word\n       next");
        assertThat(ConsoleRow.of("name", 6, "some words", Integer.MAX_VALUE)).isEqualTo("name   some words");
    }

    @Test
    void aTextThatMatchesNothingIsRefused() {
        Outcome outcome = installation.run("list", "drivers", "zzz");
        assertThat(outcome.err()).isEqualTo("benchmark: list: no name contains 'zzz'\n");
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void theDoctorLooksAtTheMachineAndLeavesNothingBehind() throws IOException {
        Outcome outcome = installation.run("doctor");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .containsPattern("(?m)^ok +java ")
                .containsPattern("(?m)^(ok|warn) +disk speed +writes \\d+ MB/s, a sync of 4 KiB takes ")
                .containsPattern("This machine is fit to measure on(, with \\d+ warnings?)?\\.");
        try (var left = Files.list(installation.current())) {
            assertThat(left).isEmpty();
        }
    }

    /** The search itself takes a minute on a system without a limit and has tests of its own. */
    @Test
    void aQuickComparisonEndsWithATableAlsoWhenItIsStopped() throws Exception {
        Outcome outcome = installation.runUntil(
                "it has begun",
                () -> installation.printed().contains("Fake: the highest rate"),
                "quick",
                "--minutes",
                "1",
                "fake",
                "fake");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(outcome.out())
                .containsPattern("(?m)^system +msg/s")
                .containsOnlyOnce("\nFake ")
                .contains("INTERRUPTED", "results/quick-");
    }

    @Test
    void aQuickComparisonRefusesWhatItDoesNotKnow() {
        assertThat(installation.run("quick", "--minutes", "0", "fake").err())
                .isEqualTo("benchmark: quick: --minutes must be more than 0 and at most 600, got 0.0\n");
    }

    @Test
    void shellsCompleteSubcommandsAndOptions() {
        Outcome outcome = installation.run("completion");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .contains("doctor", "explain", "--local-nodes")
                .as("names of driver files and workloads")
                .contains("\"fake\"", "\"small/ten\"");
    }
}
