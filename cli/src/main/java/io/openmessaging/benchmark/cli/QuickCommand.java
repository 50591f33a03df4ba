package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.catalog.Catalog.Kind;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.result.compare.QuickTable;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code bin/benchmark quick}. */
@Command(
        name = QuickCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = BenchmarkCommand.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Compares systems: finds the highest rate that each sustains, then measures latencies at half of that rate."
                    + " Starts a local broker for each; ends with a table, and leaves all results and the workloads in"
                    + " results/quick-….",
            "",
            "A system is run with its file for comparisons, driver-SYSTEM/SYSTEM-fast.yaml: one copy of each message, in a"
                    + " file when it is acknowledged. Any other driver file can be named as well."
        },
        footer = {
            "",
            "Exit code: 0 all runs are OK, 1 a run failed or is INVALID, 2 bad arguments, 130 ended by Ctrl-C.",
            "",
            "  bin/benchmark quick kafka rabbitmq redis",
            "  bin/benchmark quick --durable --size 200 kafka rabbitmq-stream"
        })
final class QuickCommand implements Callable<Integer> {

    static final String NAME = "quick";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /** The longest that a step of the search takes as a part of the minutes: some twelve steps, and all else. */
    private static final double STEP_PART = 1 / 36.0;

    private static final int MOST_MINUTES = 600;
    private static final int MOST_BYTES = 1 << 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "SYSTEM", description = "A system, such as kafka, or a driver file.")
    private List<String> systems = List.of();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Bytes of a message (default: 1024).")
    private int size;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "3",
            description = "About how long each system takes, beside the start of its broker (default: 3).")
    private double minutes;

    @Option(
            names = "--durable",
            description =
                    "Takes the SYSTEM-durable.yaml files instead: copies on three nodes where the system has them, synced.")
    private boolean durable;

    private final StopSignal stop;
    private final Path currentFolder;

    /**
     * A command that is not parsed yet.
     *
     * @param stop asks for the end
     * @param currentFolder which has the folder of the results
     */
    QuickCommand(StopSignal stop, Path currentFolder) {
        this.stop = stop;
        this.currentFolder = currentFolder;
    }

    @Override
    public Integer call() throws UserException, ResultFileException {
        if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
            throw new UserException(
                    "benchmark: quick: --minutes must be more than 0 and at most " + MOST_MINUTES + ", got " + minutes);
        }
        if (size < 1 || size > MOST_BYTES) {
            throw new UserException("benchmark: quick: --size must be from 1 to " + MOST_BYTES + " bytes, got " + size);
        }
        Installation installation = Installation.fromSystemProperties();
        Path folder =
                currentFolder.resolve("results/quick-" + LocalDateTime.now().format(TIME));
        List<Path> drivers = drivers(new Catalog(installation.home()));
        PrintWriter out = spec.commandLine().getOut();
        QuickWorkloads workloads = new QuickWorkloads(size, minutes * STEP_PART);
        Path search = write(folder, "search.yaml", workloads.search());
        BrokerStarter starter = new BrokerStarter(BrokerMode.AUTO, null, installation, out);
        Suite suite;
        try {
            suite = Suite.check(drivers, List.of(search), Optional.empty(), folder, Optional.empty());
            starter.check(suite, Optional.empty());
        } catch (UserException e) {
            remove(search, folder);
            throw e;
        }
        LogFile.open(folder.resolve("benchmark.log"));
        Session session = new Session(
                folder,
                starter,
                LiveRuns.NONE,
                null,
                stop,
                out,
                spec.commandLine().getErr());
        List<QuickTable.Row> rows = new ArrayList<>();
        for (ConfiguredDriver driver : suite.drivers()) {
            if (!stop.requested()) {
                rows.add(compare(driver, suite.workloads().get(0), workloads, folder, session));
            }
        }
        out.println();
        QuickTable.lines(rows).forEach(out::println);
        out.println();
        out.println("results and workloads: " + folder + "; a report of them: bin/charts " + folder);
        boolean failed = rows.stream().anyMatch(QuickTable.Row::failed);
        return stop.requested() ? ExitCode.INTERRUPTED : failed ? ExitCode.FAILED : ExitCode.OK;
    }

    private List<Path> drivers(Catalog catalog) throws UserException {
        List<Path> drivers = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String system : systems) {
            Path given = Path.of(system);
            catalog.find(Kind.DRIVER, Path.of(system + (durable ? "-durable" : "-fast")))
                    .or(() -> catalog.find(Kind.DRIVER, given))
                    .ifPresentOrElse(drivers::add, () -> problems.add(catalog.unknown(Kind.DRIVER, given)));
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        return drivers;
    }

    private QuickTable.Row compare(
            ConfiguredDriver driver, WorkloadFile search, QuickWorkloads workloads, Path folder, Session session)
            throws ResultFileException {
        RunExecutor executor = new RunExecutor(session);
        ResultFiles files = ResultFiles.inFolder(folder);
        session.out().println("\n" + driver.name() + ": the highest rate, then latencies at half of it");
        try (BrokerLease broker = BrokerLease.take(driver, search, session)) {
            RunExecutor.Outcome found = executor.execute(broker, search, 1, files);
            QuickTable.Row row = QuickTable.Row.of(driver.name(), found.verdict(), read(found));
            if (row.sustainableMsgPerSec().isEmpty() || stop.requested()) {
                return row;
            }
            String latency = workloads.latency(row.sustainableMsgPerSec().getAsDouble() / 2);
            Path file = write(folder, "latency-" + driver.name() + ".yaml", latency);
            WorkloadFile workload =
                    WorkloadFile.read(file, Installation.fromSystemProperties().home());
            RunExecutor.Outcome measured = executor.execute(broker, workload, 1, files);
            return row.with(measured.verdict(), read(measured));
        } catch (LocalBrokerException | BrokerLease.NobodyListensException | ConfigException e) {
            session.complain(String.valueOf(e.getMessage()));
            return QuickTable.Row.failed(driver.name());
        } catch (InterruptedException e) {
            stop.request();
            return QuickTable.Row.failed(driver.name());
        }
    }

    private static JsonNode read(RunExecutor.Outcome outcome) {
        return outcome.file() == null
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(outcome.file().toFile());
    }

    /** Nothing is left of what was refused. */
    private static void remove(Path file, Path folder) throws ResultFileException {
        try {
            Files.delete(file);
            Files.delete(folder);
        } catch (IOException e) {
            throw new ResultFileException(folder + " cannot be removed: " + ResultFiles.reason(e), e);
        }
    }

    private static Path write(Path folder, String name, String content) throws ResultFileException {
        Path file = folder.resolve(name.replaceAll("[^A-Za-z0-9._-]+", "-").toLowerCase(Locale.ROOT));
        try {
            Files.createDirectories(folder);
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new ResultFileException(file + " cannot be written: " + ResultFiles.reason(e), e);
        }
    }
}
