package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.driver.Misspelling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * {@code bin/benchmark} without a leading command name: OMB's form, which means {@code run}, or, with its option,
 * {@code plan} or {@code judge}. These commands define their own options. The help shows the list of {@link
 * Subcommands}.
 */
@Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        customSynopsis = {
            "benchmark COMMAND …",
            "       benchmark [OPTIONS of run] -d DRIVER,… WORKLOAD…    (as in OMB)"
        },
        description = "Load-tests messaging systems: reports rates, latencies and what became of every message.",
        footer = {
            "",
            "  bin/benchmark -d kafka smoke/kafka-1kb",
            "  bin/benchmark -d driver-kafka/kafka.yaml workloads/smoke/kafka-1kb.yaml",
            "  bin/benchmark plan smoke",
            "",
            "If the first word names a command, that command runs; put a workload with",
            "that name after run. Exit code: 0 OK, 1 something failed or is INVALID, 2 bad",
            "arguments or files, 130 ended by Ctrl-C."
        })
final class BenchmarkCommand implements Callable<Integer> {

    private static final String HELP = "help";

    /** A word without a dot or a slash; most file names have one. */
    private static final Pattern WORD = Pattern.compile("\\w+");

    @Option(names = "--plan", paramLabel = "FILE", hidden = true)
    private @Nullable String plan;

    @Option(names = "--judge", paramLabel = "DIR", hidden = true)
    private @Nullable String judge;

    @Unmatched
    private final List<String> others = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final Set<String> names;
    private final Function<String[], CommandLine> subcommand;

    /**
     * Creates a command that is not parsed yet.
     *
     * @param names of all commands
     * @param subcommand returns the command line for arguments that start with one of the names
     */
    BenchmarkCommand(Set<String> names, Function<String[], CommandLine> subcommand) {
        this.names = names;
        this.subcommand = subcommand;
    }

    @Override
    public Integer call() throws UserException {
        if (judge != null && plan != null) {
            throw new UserException("benchmark: --judge: conflicts with --plan, which judges its results itself");
        }
        if (judge != null) {
            return execute(Stream.of(JudgeCommand.NAME, noOption("--judge", "DIR", judge)), others);
        }
        if (plan != null) {
            return execute(Stream.of(PlanCommand.NAME, noOption("--plan", "FILE", plan)), others);
        }
        String first = others.isEmpty() ? "" : others.get(0);
        if (first.equals(HELP)) {
            return execute(others.stream().skip(1), List.of("--help"));
        }
        // From a file of arguments.
        if (names.contains(first)) {
            return execute(others.stream(), List.of());
        }
        if (WORD.matcher(first).matches()) {
            refuseUnknown(first);
        }
        return execute(Stream.of(RunCommand.NAME), others);
    }

    /**
     * Refuses an option as a value: the options of the subcommands are unknown here, so one of them is mistaken for the
     * missing value.
     */
    private static String noOption(String name, String label, String value) throws UserException {
        if (value.startsWith("-")) {
            throw new UserException(
                    "benchmark: " + name + ": " + label + " is missing, got the option '" + value + "'");
        }
        return value;
    }

    private int execute(Stream<String> first, List<String> then) {
        String[] arguments = Stream.concat(first, then.stream()).toArray(String[]::new);
        CommandLine itself = spec.commandLine();
        return subcommand
                .apply(arguments)
                .setOut(itself.getOut())
                .setErr(itself.getErr())
                .execute(arguments);
    }

    /** Refuses a first word that is not a file, if it resembles a command or if no driver is named. */
    private void refuseUnknown(String word) throws UserException {
        Catalog catalog = new Catalog(Installation.fromSystemProperties().home());
        if (catalog.find(Catalog.FileType.WORKLOAD, Path.of(word)).isPresent()) {
            return;
        }
        String unknown = "benchmark: " + word + ": there is no such command or workload";
        Optional<String> near = Misspelling.meant(word, names);
        if (near.isPresent()) {
            throw new UserException(unknown + ", did you mean " + near.get() + "?");
        }
        if (others.stream().noneMatch(argument -> argument.startsWith("-d") || argument.startsWith("--drivers"))) {
            throw new UserException(unknown + "; bin/benchmark --help shows the commands");
        }
    }
}
