package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests which command is meant, and how each explains itself. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SubcommandsTest {

    private static final int SCREEN_LINES = 40;
    private static final int SCREEN_COLUMNS = 80;

    /** A command in the help: indented by two, its explanation after at least two blanks. */
    private static final Pattern COMMAND_IN_HELP = Pattern.compile("(?m)^ {2}([a-z]+) {2,}\\S");

    private static final String PLAN = """
            name: example
            systems: {fake: driver.yaml}
            experiments: [{name: count, workload: workload.yaml}]
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    private String driver = "";
    private String workload = "";
    private String plan = "";

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
        driver = installation.file("driver.yaml", TestInstallation.DRIVER);
        workload = installation.file("workload.yaml", TestInstallation.WORKLOAD);
        plan = installation.file("plan.yaml", PLAN);
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    private static CommandLine command(String name) {
        return Objects.requireNonNull(subcommands().all().getSubcommands().get(name));
    }

    private static Subcommands subcommands() {
        return new Subcommands(new StopSignal(), Path.of(""));
    }

    /** Uses a fresh installation in the same place, so that earlier output does not count. */
    private Outcome run(String... arguments) throws IOException {
        return new TestInstallation(folder).run(arguments);
    }

    private void assertRefused(Outcome outcome, String... lines) {
        assertThat(outcome.err().lines()).containsExactly(lines);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    // Help

    static Stream<String> commands() {
        return subcommands().names().stream().filter(name -> !isAScript(name));
    }

    /** Returns whether a separate program explains the command. */
    private static boolean isAScript(String name) {
        return command(name).getCommand() instanceof ScriptCommand;
    }

    private static void assertFitsTheScreen(CommandLine command) {
        command.setUsageHelpAutoWidth(false).setUsageHelpWidth(SCREEN_COLUMNS);
        String help = command.getUsageMessage();
        assertThat(help.lines().count()).as(help).isLessThanOrEqualTo(SCREEN_LINES);
        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(SCREEN_COLUMNS));
        command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> assertThat(help).contains(option.longestName()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theHelpOfACommandIsOneScreen(String name) {
        assertFitsTheScreen(command(name));
    }

    @Test
    void theHelpOfAllIsOneScreenThatNamesEach() {
        CommandLine root = Main.commandLine(installation.stop(), folder);
        assertFitsTheScreen(root);
        assertThat(COMMAND_IN_HELP.matcher(root.getUsageMessage()).results().map((MatchResult match) -> match.group(1)))
                .containsExactlyElementsOf(subcommands().names());
    }

    @Test
    void helpIsAlsoAskedForInWords() throws IOException {
        assertThat(run("help").out()).isEqualTo(run("--help").out()).startsWith("Usage: benchmark COMMAND");
        assertThat(run("help", "plan").out())
                .isEqualTo(run("plan", "--help").out())
                .contains("--time-scale");
    }

    // OMB's form

    @Test
    void ombsFormIsRun() throws IOException {
        Outcome old = run("--dry-run", "--drivers", driver, workload);
        Outcome named = run("run", "--dry-run", "--drivers", driver, workload);
        assertThat(old.err()).isEmpty();
        assertThat(old.out()).contains("run 1 of 1: workload on Fake");
        assertThat(named).isEqualTo(old);
    }

    @Test
    void theOptionOfAPlanIsItsCommand() throws IOException {
        Outcome named = run("plan", plan, "--only", "count", "--drivers", "fake=" + driver, "--dry-run");
        assertThat(named.err()).isEmpty();
        assertThat(named.out()).contains("plan example: 1 runs");
        assertThat(run("--plan", plan, "--only", "count", "--drivers", "fake=" + driver, "--dry-run"))
                .isEqualTo(named);
        assertThat(run("--dry-run", "--drivers", "fake=" + driver, "--only=count", "--plan=" + plan))
                .isEqualTo(named);
    }

    @Test
    void theOptionOfAJudgementIsItsCommand() throws IOException {
        Outcome named = run("judge", folder.toString(), "--published", "p.yaml");
        assertRefused(named, "FOLDER: is not a results folder of a plan, manifest.json cannot be read");
        assertThat(run("--published", "p.yaml", "--judge", folder.toString())).isEqualTo(named);
    }

    @Test
    void argumentsMayBeInAFile() throws IOException {
        String arguments = installation.file("arguments", "--dry-run", "--plan", plan);
        Outcome named = run("plan", plan, "--dry-run");
        assertThat(named.exitCode()).isZero();
        assertThat(run("@" + arguments)).isEqualTo(named);
        assertThat(run("@" + installation.file("arguments", "plan", plan, "--dry-run")))
                .isEqualTo(named);
    }

    @Test
    void anOptionWithoutItsValueIsNamed() throws IOException {
        assertRefused(
                run("--dry-run", "--plan"),
                "benchmark: Missing required parameter for option '--plan' (FILE)",
                "Try 'bin/benchmark --help'.");
    }

    @ParameterizedTest
    @CsvSource({"--plan, FILE", "--judge, DIR"})
    void anOptionIsNotTheValueOfTheOneBeforeIt(String option, String label) throws IOException {
        assertRefused(
                run(option, "--dry-run"),
                "benchmark: " + option + ": " + label + " is missing, got the option '--dry-run'");
    }

    // Names

    @ParameterizedTest
    @CsvSource({"paln, plan", "rum, run", "reprot, report", "Compar, compare", "borker, broker", "calibrat, calibrate"})
    void aMistypedCommandIsCorrected(String typed, String meant) throws IOException {
        assertRefused(
                run(typed, "x.yaml"),
                "benchmark: " + typed + ": there is no such command or workload, did you mean " + meant + "?");
    }

    @Test
    void aCommandThatIsLikeNoneIsRefused() throws IOException {
        assertRefused(
                run("frobnicate"),
                "benchmark: frobnicate: there is no such command or workload; bin/benchmark --help shows the commands");
    }

    @Test
    void whereADriverIsNamedAWordIsAWorkload() throws IOException {
        assertRefused(
                run("frobnicate", "-d", driver),
                "frobnicate: there is no such workload (bin/benchmark list workloads shows those that come with it)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "list", "report"})
    void aCommandWinsOverAWorkloadOfItsNameInTheFirstPlaceOnly(String name) throws IOException {
        Path file = installation.home().resolve("workloads/" + name + ".yaml");
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, TestInstallation.WORKLOAD);

        for (List<String> arguments : List.of(
                List.of("--dry-run", "-d", driver, name),
                List.of("run", name, "--dry-run", "-d", driver),
                List.of(file.toString(), "--dry-run", "-d", driver))) {
            Outcome asWorkload = run(arguments.toArray(String[]::new));
            assertThat(asWorkload.exitCode())
                    .as("%s: %s", arguments, asWorkload.err())
                    .isZero();
            assertThat(asWorkload.out()).contains("run 1 of 1: " + name + " on Fake");
        }
        Outcome asCommand = run(name, "-d", driver);
        assertThat(asCommand.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(asCommand.err()).startsWith("benchmark: ").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({
        "plan, --csv, run",
        "run, --judge, ",
        "run, --repetitions, plan",
        "judge, --key, run",
        "list, --size, quick"
    })
    void anOptionOfAnotherCommandIsSaidToBeOne(String command, String option, String owner) throws IOException {
        Outcome outcome = run(command, "x", option);
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(outcome.err()).startsWith("benchmark: Unknown option: '" + option + "'\n");
        if (owner != null) {
            assertThat(outcome.err()).endsWith("'" + option + "' is an option of 'bin/benchmark " + owner + "'.\n");
        }
    }

    /** The start script starts the other script before there is a JVM. */
    @Test
    void aCommandThatIsAScriptNamesIt() throws IOException {
        assertRefused(
                run("report", "--title", "x", "results"),
                "benchmark: this command is bin/charts, which bin/benchmark starts instead of Java");
    }

    @StartsProcesses
    @ParameterizedTest
    @CsvSource({"report, charts", "compare, compare", "broker, broker"})
    void theStartScriptHandsOverToOtherScripts(String command, String script) throws Exception {
        Path bin = Files.createDirectories(folder.resolve("installed/bin"));
        Path start = Files.copy(Path.of("../bin/benchmark"), bin.resolve("benchmark"));
        Files.copy(Path.of("../bin/environment.sh"), bin.resolve("environment.sh"));
        Path other = Files.writeString(bin.resolve(script), "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 7\n");
        for (Path executable : List.of(start, other)) {
            assertThat(executable.toFile().setExecutable(true)).isTrue();
        }
        Process process = new ProcessBuilder(start.toString(), command, "a b", "", "--help")
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Patience.exitCode("the start script", process)).isEqualTo(7);
        assertThat(printed).isEqualTo("a b||--help|");
        assertThat(isAScript(command)).isTrue();
    }

    // Quick

    @Test
    void aQuickComparisonIsDescribedAndNothingIsLeftBehind() throws IOException {
        Outcome outcome = run("quick", "--dry-run", "--ui", "--brokers", "external", driver);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .contains("run 1 of 1: quick-search on Fake", "the highest sustainable rate, to be found within 1m54s")
                .endsWith("""
                        then latencies at half of the rate that is found, with each system
                        each system: about 3m, at most 2m9s of it to search for the rate
                        all together: about 3m; longer if the machine is slow or busy: creating topics, warming up and tries take more then
                        """);
        assertThat(installation.current().resolve("results")).doesNotExist();
    }

    @Test
    void aQuickComparisonAtARateHasTheLoadOfItsOptions() throws IOException {
        Outcome outcome =
                run("quick --dry-run --rate 5000 --size 2kb --topics 2 --partitions 3 --producers 4 --subscriptions 5"
                        .concat(" --consumers 6 --minutes 1 " + driver)
                        .split(" "));
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains(
                        "run 1 of 1: quick on Fake",
                        "2 with 3 partitions; for each 4 producers, 5 subscriptions of 6 consumers",
                        "5000 msg/s, messages of 2,000 bytes",
                        "warm-up 2s, then 58s")
                .doesNotContain("half")
                .contains("each system: about 1m\nall together: about 1m; longer if the machine is slow or busy: ");
    }

    @ParameterizedTest
    @CsvSource({
        "--minutes=8, 'each system: about 8m in 4 repetitions, at most 5m44s of it to search for the rate'",
        "--rate=5000, 'each system: about 12m in 4 repetitions'",
    })
    void repetitionsCountInTheTimeOfASystem(String option, String told) throws IOException {
        assertThat(run("quick", "--dry-run", "--repetitions=4", option, driver).out())
                .contains(told + "\n");
    }

    @ParameterizedTest
    @CsvSource({"--size=1kib, 1024", "--size=2KB, 2000", "--size=1 MiB, 1048576", "--size=100b, 100", "--size=7, 7"})
    void sizesHaveUnits(String option, int bytes) throws IOException {
        assertThat(run("quick", "--dry-run", option, driver).out().replace(",", ""))
                .contains(" " + bytes + " bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "--size=2xb, '--size must be from 1 to 1048576 bytes, such as 1024, 2KB (2000) or 2KiB (2048), got 2xb'",
        "--size=2MB, '--size must be from 1 to 1048576 bytes, such as 1024, 2KB (2000) or 2KiB (2048), got 2MB'",
        "--partitions=0, '--partitions must be from 1 to 1000000, got 0'",
        "--repetitions=0, '--repetitions must be from 1 to 100, got 0'",
        "--minutes=0.5, '--minutes must be at least 1 to search for the highest rate, or use --rate, got 0.5'",
        "--minutes=3 --repetitions=4, '--minutes must be at least 4 to search for the highest rate 4 times, or use --rate,"
                + " got 3.0'",
        "--rate=fast, '--rate must be messages a second from 0.001 to 1000000000, bytes such as 10 MB/s, 0 (find the"
                + " highest sustainable rate) or unlimited, got fast'"
    })
    void aQuickComparisonRefusesALoadThatCannotBe(String options, String rule) throws IOException {
        assertRefused(run(("quick " + options + " " + driver).split(" ")), "benchmark: quick: " + rule);
    }

    @ParameterizedTest
    @CsvSource({
        "--local-workers=1, 'benchmark: FOLDER/current/driver.yaml: the system is inside this process, where workers cannot"
                + " reach it: run it without workers'",
        "--ui-port=70000, 'benchmark: --ui-port: must be a port from 1 to 65535, or 0 for any free port, got 70000'",
        "--key=k, 'benchmark: --key: needs workers (--workers, --workers-file or --local-workers)'"
    })
    void aQuickComparisonTakesTheOptionsOfRuns(String option, String complaint) throws IOException {
        assertRefused(run("quick", option, driver), complaint);
    }

    // Completion

    @StartsProcesses
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pl | plan",
                "re | report",
                "plan --time | --time-scale",
                "--driv | --drivers",
                "run --local-w | --local-workers",
                "quick --ui-p | --ui-port",
                "quick --repet | --repetitions"
            })
    void bashCompletesCommandsAndOptions(String typed, String completed) throws Exception {
        Path script = folder.resolve("completion");
        Files.writeString(script, run("completion").out());
        String words = "bin/benchmark " + typed;
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD="
                                + (words.split(" ").length - 1)
                                + "; _complete_benchmark; echo \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        String replies = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Patience.exitCode("bash", bash)).isZero();
        assertThat(replies.split("\\s+")).as(replies).contains(completed);
    }
}
