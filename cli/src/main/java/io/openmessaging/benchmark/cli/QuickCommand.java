package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.catalog.Catalog.FileType;
import io.openmessaging.benchmark.cli.job.QuickJob;
import io.openmessaging.benchmark.cli.job.QuickWorkloads;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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
            "Compares systems at one rate, or at half of the highest rate of each. Uses SYSTEM-fast.yaml: one copy of a"
                    + " message, in a file. Writes results/quick-…."
        },
        footer = {
            "Exit code: 0 all runs are OK, 1 a run failed or is INVALID, 2 bad arguments,",
            "130 ended by Ctrl-C. Example: bin/benchmark quick kafka rabbitmq redis"
        })
final class QuickCommand implements Callable<Integer> {

    static final String NAME = "quick";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private static final int MINUTES = 3;
    private static final int MOST_MINUTES = 600;
    private static final int MOST_REPETITIONS = 100;
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST = 1_000_000;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,7}) ?([a-zA-Z]*)");
    private static final Map<String, Double> BYTES =
            Map.of("", 1.0, "b", 1.0, "k", 1e3, "kb", 1e3, "ki", 0x1p10, "kib", 0x1p10, "mb", 1e6, "mib", 0x1p20);

    @Parameters(
            arity = "1..*",
            paramLabel = "SYSTEM",
            completionCandidates = ShortNames.Drivers.class,
            description = "A system, such as kafka, or a driver file.")
    private List<String> systems = List.of();

    @Option(names = "--rate", paramLabel = "N", description = "Messages a second of each system (default: search).")
    private @Nullable String rate;

    @Option(names = "--size", paramLabel = "SIZE", description = "Message size, as 1024 (default), 2KB or 2KiB.")
    private String size = "1024";

    @Option(names = "--topics", paramLabel = "N", description = "Topics (this and the next four, default: 1).")
    private int topics = 1;

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of each topic.")
    private int partitions = 1;

    @Option(names = "--producers", paramLabel = "N", description = "Producers of each topic.")
    private int producers = 1;

    @Option(names = "--subscriptions", paramLabel = "N", description = "Subscriptions of each topic.")
    private int subscriptions = 1;

    @Option(names = "--consumers", paramLabel = "N", description = "Consumers of each subscription.")
    private int consumers = 1;

    @Option(names = "--repetitions", paramLabel = "N", description = "Repeats all runs; the systems take turns.")
    private int repetitions = 1;

    @Option(names = "--minutes", paramLabel = "N", description = "Time for a system's runs (default: 3 a repetition).")
    private @Nullable Double minutes;

    @Option(names = "--durable", description = "Uses SYSTEM-durable.yaml: 2 or 3 synced copies.")
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
        count("--repetitions", repetitions, MOST_REPETITIONS);
        String given = rate();
        double each = minutes(given == null) / repetitions;
        List<Path> drivers =
                drivers(new Catalog(Installation.fromSystemProperties().home()));
        QuickWorkloads workloads = new QuickWorkloads(keys(), given, each);
        Path folder = runs.results().resolve("quick-" + LocalDateTime.now().format(TIME));
        try {
            return runs.run(() -> QuickJob.check(drivers, workloads, repetitions, folder));
        } finally {
            QuickJob.removeUnused(folder);
        }
    }

    /** Returns the time for all runs of a system. */
    private double minutes(boolean searches) throws UserException {
        double all = minutes == null ? MINUTES * repetitions : minutes;
        if (!(all > 0 && all <= MOST_MINUTES)) {
            throw new UserException(
                    "benchmark: quick: --minutes must be more than 0 and at most " + MOST_MINUTES + ", got " + all);
        }
        if (searches && all < repetitions * QuickWorkloads.LEAST_MINUTES_OF_SEARCH) {
            throw new UserException("benchmark: quick: --minutes must be at least "
                    + repetitions * QuickWorkloads.LEAST_MINUTES_OF_SEARCH + " to search for the highest rate"
                    + (repetitions == 1 ? "" : " " + repetitions + " times") + ", or use --rate, got " + all);
        }
        return all;
    }

    /** Returns the keys of the workload that options set, in the order of a workload file. */
    private Map<String, Object> keys() throws UserException {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("topics", count("--topics", topics, MOST));
        keys.put("partitionsPerTopic", count("--partitions", partitions, MOST));
        keys.put("messageSize", bytes());
        keys.put("producersPerTopic", count("--producers", producers, MOST));
        keys.put("subscriptionsPerTopic", count("--subscriptions", subscriptions, MOST));
        keys.put("consumerPerSubscription", count("--consumers", consumers, MOST));
        return keys;
    }

    private static int count(String option, int given, int most) throws UserException {
        if (given < 1 || given > most) {
            throw new UserException("benchmark: quick: " + option + " must be from 1 to " + most + ", got " + given);
        }
        return given;
    }

    /** Returns the message size; KB and MB are powers of ten, KiB and MiB powers of two, as in rates. */
    private int bytes() throws UserException {
        Matcher given = SIZE.matcher(size);
        double bytes = 0;
        if (given.matches()) {
            double unit = BYTES.getOrDefault(given.group(2).toLowerCase(Locale.ROOT), 0.0);
            bytes = Integer.parseInt(given.group(1)) * unit;
        }
        if (bytes < 1 || bytes > MOST_BYTES) {
            throw new UserException("benchmark: quick: --size must be from 1 to " + MOST_BYTES
                    + " bytes, such as 1024, 2KB (2000) or 2KiB (2048), got " + size);
        }
        return (int) bytes;
    }

    /** Returns the rate in the notation of a workload; null to search for the highest one. */
    private @Nullable String rate() throws UserException {
        if (rate == null) {
            return null;
        }
        try {
            ProducerRate given = ProducerRate.parse(rate);
            return given instanceof ProducerRate.MaxSustainable ? null : given.toString();
        } catch (IllegalArgumentException e) {
            throw new UserException("benchmark: quick: --rate " + e.getMessage() + ", got " + rate);
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
