package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.catalog.Catalog.FileType;
import io.openmessaging.benchmark.cli.job.QuickJob;
import io.openmessaging.benchmark.cli.job.QuickWorkloads;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code bin/benchmark quick}. */
@Command(
        name = QuickCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        sortOptions = false,
        abbreviateSynopsis = true,
        usageHelpAutoWidth = true,
        description = {
            "Compares systems: finds the highest rate that each sustains, then measures latencies at half of it. Uses"
                    + " SYSTEM-fast.yaml of each: one copy of a message, in a file when it is acknowledged. Ends with a"
                    + " table; results and workloads are in results/quick-…."
        },
        footer = {
            "Exit code: 0 all runs are OK, 1 a run failed or is INVALID, 2 bad arguments,",
            "130 ended by Ctrl-C. Example: bin/benchmark quick kafka rabbitmq redis"
        })
final class QuickCommand implements Callable<Integer> {

    static final String NAME = "quick";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /** Upper limit for a step of the search, as a fraction of the minutes: some twelve steps, and everything else. */
    private static final double STEP_PART = 1 / 36.0;

    private static final int MOST_MINUTES = 600;
    private static final int MOST_BYTES = 1 << 20;

    @Parameters(arity = "1..*", paramLabel = "SYSTEM", description = "A system, such as kafka, or a driver file.")
    private List<String> systems = List.of();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Message size in bytes (default: 1024).")
    private int size;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "3",
            description = "About how long each system takes (default: 3).")
    private double minutes;

    @Option(names = "--durable", description = "Uses SYSTEM-durable.yaml: three synced copies.")
    private boolean durable;

    @Mixin
    private final RunOptions runs;

    /**
     * Creates a command that is not parsed yet.
     *
     * @param stop requests the end
     * @param currentFolder contains the folder of the results
     */
    QuickCommand(StopSignal stop, Path currentFolder) {
        this.runs = new RunOptions(stop, currentFolder);
    }

    @Override
    public Integer call() throws UserException, ConfigException, PlanException, ResultFileException {
        if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
            throw new UserException(
                    "benchmark: quick: --minutes must be more than 0 and at most " + MOST_MINUTES + ", got " + minutes);
        }
        if (size < 1 || size > MOST_BYTES) {
            throw new UserException("benchmark: quick: --size must be from 1 to " + MOST_BYTES + " bytes, got " + size);
        }
        List<Path> drivers =
                drivers(new Catalog(Installation.fromSystemProperties().home()));
        QuickWorkloads workloads = new QuickWorkloads(size, minutes * STEP_PART);
        Path folder = runs.results().resolve("quick-" + LocalDateTime.now().format(TIME));
        try {
            return runs.run(() -> QuickJob.check(drivers, workloads, folder));
        } finally {
            QuickJob.removeUnused(folder);
        }
    }

    private List<Path> drivers(Catalog catalog) throws UserException {
        List<Path> drivers = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String system : systems) {
            Path given = Path.of(system);
            catalog.find(FileType.DRIVER, Path.of(system + (durable ? "-durable" : "-fast")))
                    .or(() -> catalog.find(FileType.DRIVER, given))
                    .ifPresentOrElse(drivers::add, () -> problems.add(catalog.unknown(FileType.DRIVER, given)));
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        return drivers;
    }
}
