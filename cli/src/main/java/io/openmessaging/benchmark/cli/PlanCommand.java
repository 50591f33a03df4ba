package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.job.PlanJob;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.PlanRequest;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code bin/benchmark plan}. */
@Command(
        name = PlanCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        sortOptions = false,
        abbreviateSynopsis = true,
        usageHelpAutoWidth = true,
        description = "Runs a plan (a file of workloads and systems), or resumes it.",
        footer = {
            "Exit code: 0 all runs are OK or skipped, 1 a run failed, is INVALID or",
            "SLO_MISSED, 2 bad arguments or files, 3 --stop-after left runs, 130 Ctrl-C."
        })
final class PlanCommand implements Callable<Integer> {

    static final String NAME = "plan";

    @Parameters(
            paramLabel = "FILE",
            completionCandidates = ShortNames.Plans.class,
            description = "The plan's file or its short name, such as smoke.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path plan;

    @Option(
            names = {"-d", "--drivers"},
            split = ",",
            paramLabel = "FILE,…",
            hideParamSyntax = true,
            completionCandidates = ShortNames.Drivers.class,
            description = "FILE or NAME=FILE replaces driver files of the plan.")
    private List<String> drivers = List.of();

    @Option(names = "--only", paramLabel = "PATTERN", description = "Only runs of experiment/system/case, with * and ?")
    private List<String> only = List.of();

    @Option(names = "--repetitions", paramLabel = "N", description = "Replaces the number of repetitions in the plan.")
    private @Nullable Integer repetitions;

    @Option(
            names = "--time-scale",
            paramLabel = "FACTOR",
            description = "Multiplies durations and counts, such as 0.02.")
    private @Nullable Double timeScale;

    @Option(
            names = "--cooldown",
            paramLabel = "TIME",
            description = "Replaces the plan's cool-downs, such as 1m or 0s.")
    private @Nullable String cooldown;

    @Option(names = "--stop-after", paramLabel = "TIME", description = "Starts no run after that time, such as 2h20m.")
    private @Nullable String stopAfter;

    @Option(
            names = {"-o", "--output", "--output-dir"},
            paramLabel = "DIR",
            description = "Where the plan's folder goes (default: results).")
    private @Nullable Path outputDir;

    @Option(names = "--fresh", description = "Starts a new folder, even if one is unfinished.")
    private boolean fresh;

    @Mixin
    private final RunOptions runs;

    /**
     * Creates a command that is not parsed yet.
     *
     * @param stop requests the end of the run
     * @param currentFolder folder of the results
     */
    PlanCommand(StopSignal stop, Path currentFolder) {
        this.runs = new RunOptions(stop, currentFolder);
    }

    @Override
    public Integer call() throws UserException, ConfigException, PlanException, ResultFileException {
        PlanRequest request = request();
        Path parent = outputDir == null ? runs.results() : runs.resolve(outputDir);
        Optional<Duration> limit = Optional.ofNullable(time("--stop-after", stopAfter));
        return runs.run(() -> PlanJob.check(request, parent, fresh, limit));
    }

    private static @Nullable Duration time(String option, @Nullable String text) throws UserException {
        return text == null
                ? null
                : DurationText.parse(text)
                        .orElseThrow(() -> new UserException(
                                "benchmark: " + option + " " + DurationText.RULE + ", got '" + text + "'"));
    }

    private PlanRequest request() throws UserException {
        Catalog catalog = new Catalog(Installation.fromSystemProperties().home());
        Path found = catalog.find(Catalog.FileType.PLAN, plan)
                .orElseThrow(() -> new UserException(catalog.unknown(Catalog.FileType.PLAN, plan)));
        try {
            TimeScale scale = timeScale == null ? TimeScale.FULL : new TimeScale(timeScale);
            return new PlanRequest(found, only, scale, repetitions, time("--cooldown", cooldown), drivers);
        } catch (IllegalArgumentException e) {
            throw new UserException("benchmark: --time-scale " + e.getMessage());
        }
    }
}
