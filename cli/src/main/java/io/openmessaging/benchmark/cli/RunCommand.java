package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.cli.job.Suite;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.compare.ResultsCsv;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code bin/benchmark run}: every workload with every driver. OMB's options have OMB's names and meaning. */
@Command(
        name = RunCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        sortOptions = false,
        abbreviateSynopsis = true,
        usageHelpAutoWidth = true,
        description = "Runs every workload with every driver; each run writes a result to results/.",
        footer = {
            "Exit code: 0 all runs are OK, 1 a run failed, is INVALID or SLO_MISSED,",
            "2 bad arguments or files, 130 ended by Ctrl-C."
        })
final class RunCommand implements Callable<Integer> {

    static final String NAME = "run";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-d", "--drivers"},
            split = ",",
            paramLabel = "FILE,…",
            hideParamSyntax = true,
            completionCandidates = ShortNames.Drivers.class,
            description = "Driver files or their short names.")
    private List<Path> drivers = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The result file of a single run.")
    private @Nullable Path output;

    @Option(
            names = {"-c", "--csv"},
            paramLabel = "DIR",
            description = "Writes results-….csv here: all results in DIR, after any runs.")
    private @Nullable Path csvFolder;

    @Mixin
    private final RunOptions runs;

    @Parameters(
            paramLabel = "WORKLOAD",
            arity = "0..*",
            completionCandidates = ShortNames.Workloads.class,
            description = "Workload files or their short names.")
    private List<Path> workloads = List.of();

    /**
     * Creates a command that is not parsed yet.
     *
     * @param stop requests the end of the run
     * @param currentFolder folder of the results
     */
    RunCommand(StopSignal stop, Path currentFolder) {
        this.runs = new RunOptions(stop, currentFolder);
    }

    @Override
    public Integer call() throws UserException, ConfigException, PlanException, ResultFileException {
        if (csvFolder != null && drivers.isEmpty() && workloads.isEmpty()) {
            writeCsv(csvFolder);
            return ExitCode.OK;
        }
        int exitCode = runs.run(() -> Suite.check(
                drivers, workloads, Optional.ofNullable(output), runs.results(), Optional.ofNullable(csvFolder)));
        return csvFolder == null || runs.isDry() ? exitCode : withCsv(csvFolder, exitCode);
    }

    /** Writes the table after the runs. If that fails, the command fails, but its arguments are not bad. */
    private int withCsv(Path folder, int exitCode) {
        try {
            writeCsv(folder);
            return exitCode;
        } catch (ResultFileException e) {
            spec.commandLine().getErr().println("benchmark: " + e.getMessage());
            return Math.max(exitCode, ExitCode.FAILED);
        }
    }

    private static String flawed(ResultsCsv.Written written) {
        return written.flawed() == 0
                ? ""
                : "; " + written.flawed() + " of them INVALID, FAILED or INTERRUPTED: see column verdict before you use"
                        + " their figures";
    }

    private void writeCsv(Path folder) throws ResultFileException {
        Path target = runs.resolve(Path.of("results-" + Instant.now().getEpochSecond() + ".csv"));
        ResultsCsv.Written written = ResultsCsv.write(folder, target);
        written.skipped().forEach(reason -> spec.commandLine().getErr().println("skipped " + reason));
        spec.commandLine().getOut().println(written.rows() + " results written to " + target + flawed(written));
    }
}
