package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.cli.console.Overrun;
import io.openmessaging.benchmark.cli.job.RunExecutor.Execution;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.result.file.RunMetrics;
import io.openmessaging.benchmark.summary.SystemsTable;
import io.openmessaging.benchmark.summary.SystemsTable.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * Compares systems, which take turns: at a given rate, or finds the highest rate that a system sustains, then measures
 * latencies at half of it. Latencies are measured at half of the rate that a system's first search found, so that
 * repetitions have equal loads.
 *
 * @param first the first run of each system
 * @param workloads templates for the workloads of a repetition
 * @param repetitions how often everything is run
 * @param folder for all files
 */
public record QuickJob(Suite first, QuickWorkloads workloads, int repetitions, Path folder) implements Job {

    private static final String LOG = "benchmark.log";
    private static final String FIRST = "first.yaml";

    /** Reads and checks the driver files, and writes the workload of the first runs. */
    public static QuickJob check(List<Path> drivers, QuickWorkloads workloads, int repetitions, Path folder)
            throws UserException, ResultFileException {
        String rate = workloads.rate();
        Path file = write(folder, FIRST, rate == null ? workloads.search() : workloads.atRate(rate));
        Suite first = Suite.check(drivers, List.of(file), Optional.empty(), folder, Optional.empty());
        return new QuickJob(first, workloads, repetitions, folder);
    }

    /** Deletes the files of a job that was refused or only described. */
    public static void removeUnused(Path folder) throws ResultFileException {
        if (Files.exists(folder.resolve(LOG))) {
            return;
        }
        try {
            Files.deleteIfExists(folder.resolve(FIRST));
            Files.deleteIfExists(folder);
            Files.deleteIfExists(folder.resolveSibling(""));
        } catch (DirectoryNotEmptyException e) {
            // The folder contains results of other runs.
            return;
        } catch (IOException e) {
            throw new ResultFileException(folder + " cannot be removed: " + ResultFiles.reason(e), e);
        }
    }

    @Override
    public void look() throws ResultFileException {
        first.look();
    }

    @Override
    public List<ConfiguredDriver> drivers() {
        return first.drivers();
    }

    @Override
    public List<WorkloadFile> workloadsOf(ConfiguredDriver driver) {
        return first.workloads();
    }

    private boolean searches() {
        return workloads.rate() == null;
    }

    private int runsOfEach() {
        return searches() ? 2 : 1;
    }

    @Override
    public void describe(BrokerStarter starter, PrintWriter out) {
        first.describeRuns(starter, out);
        if (searches()) {
            out.println("then latencies at half of the rate that is found, with each system");
        }
        Duration each = workloads.each().multipliedBy(repetitions);
        Duration search = workloads.longestSearch().multipliedBy(repetitions);
        out.println("each system: about " + DurationText.format(each)
                + (repetitions == 1 ? "" : " in " + repetitions + " repetitions")
                + (searches() ? ", at most " + DurationText.format(search) + " of it to search for the rate" : ""));
        Duration starts = starts(starter);
        out.println("all together: about " + DurationText.format(planned(starter))
                + (starts.isZero() ? "" : ", " + DurationText.format(starts) + " of it until brokers have started")
                + "; longer if the machine is slow or busy: creating topics, warming up and tries take more then");
    }

    private Duration starts(BrokerStarter starter) {
        return drivers().stream()
                .map(starter::startTime)
                .reduce(Duration.ZERO, Duration::plus)
                .multipliedBy(repetitions);
    }

    private Duration planned(BrokerStarter starter) {
        return workloads
                .each()
                .multipliedBy((long) repetitions * drivers().size())
                .plus(starts(starter));
    }

    @Override
    public int run(Invocation session) throws ResultFileException {
        return run(session, new RunLoop(session, new RunExecutor(session)::execute, false));
    }

    int run(Invocation session, RunLoop loop) throws ResultFileException {
        LogFile.open(folder.resolve(LOG));
        session.live().agenda(agenda());
        Duration planned = planned(session.starter());
        SystemsTable table = new SystemsTable();
        Map<DriverFile, WorkloadFile> latencies = new HashMap<>();
        List<JsonNode> searched = new ArrayList<>();
        try {
            for (int i = 0;
                    i < repetitions * drivers().size() && !session.stop().requested();
                    i++) {
                // Each system gets a new broker each time, also one that is alone.
                loop.endBroker();
                searched.add(compare(i, loop, latencies, session, table));
            }
        } finally {
            loop.endBroker();
        }
        PrintWriter out = session.out();
        out.println();
        table.lines().forEach(out::println);
        new Overrun(planned, loop.took(), loop.waitedForBrokers(), searched)
                .sentence()
                .ifPresent(out::println);
        out.println();
        out.println(
                "results and workloads: " + folder + "; a report of them: bin/benchmark report -o report " + folder);
        return loop.exitCode();
    }

    private Agenda agenda() {
        List<Agenda.Item> items = new ArrayList<>();
        for (int i = 0; i < repetitions * drivers().size(); i++) {
            String name = name(i);
            if (searches()) {
                Duration search = workloads.longestSearch();
                items.add(new Agenda.Item("highest rate of " + name, search, null));
                items.add(
                        new Agenda.Item("latencies of " + name, workloads.each().minus(search), null));
            } else {
                items.add(new Agenda.Item(name, workloads.each(), null));
            }
        }
        return new Agenda("", items);
    }

    private ConfiguredDriver driver(int turn) {
        return drivers().get(turn % drivers().size());
    }

    private int repetition(int turn) {
        return turn / drivers().size() + 1;
    }

    private String name(int turn) {
        String name = driver(turn).name();
        return repetitions == 1 ? name : name + ", repetition " + repetition(turn) + " of " + repetitions;
    }

    /**
     * Measures one system once, for the comparison with the others; returns the result of its first run.
     *
     * @param turn counts from 0 over the systems of each repetition
     * @param latencies the workload of the second run, for each system that has one already
     */
    private JsonNode compare(
            int turn, RunLoop loop, Map<DriverFile, WorkloadFile> latencies, Invocation session, SystemsTable table) {
        DriverFile driver = driver(turn).file();
        int number = turn * runsOfEach() + 1;
        WorkloadFile workload = first.workloads().get(0);
        Execution found = loop.run(next(turn, number, "\n" + name(turn) + ": " + purpose(workload), workload));
        JsonNode result = found.result();
        Figures figures = searches() ? Figures.HIGHEST_RATE : Figures.ALL;
        table.add("", driver.name(), figures, found.verdict(), found.problem(), result);
        if (!searches()) {
            return result;
        }
        OptionalDouble highest = highestMsgPerSec(result);
        if (highest.isEmpty() || session.stop().requested()) {
            session.live().finished(number + 1, LiveRuns.SKIPPED, null);
            return result;
        }
        Execution measured;
        try {
            if (!latencies.containsKey(driver)) {
                String text = workloads.latency(highest.getAsDouble() / 2);
                Path file = write(folder, "latency-" + driver.name() + ".yaml", text);
                Path home = Installation.fromSystemProperties().home();
                latencies.put(driver, WorkloadFile.read(file, home));
            }
            measured = loop.run(next(turn, number + 1, "", Objects.requireNonNull(latencies.get(driver))));
        } catch (ResultFileException | ConfigException e) {
            measured = loop.report(number + 1, Execution.failure(String.valueOf(e.getMessage())));
        }
        table.add("", driver.name(), Figures.LATENCIES, measured.verdict(), measured.problem(), measured.result());
        return result;
    }

    private String purpose(WorkloadFile file) {
        if (searches()) {
            return "the highest rate, then latencies at half of it";
        }
        return file.workload().messageRate() instanceof ProducerRate.Fixed fixed
                ? Quantities.messageRate(fixed.messagesPerSecond())
                : String.valueOf(workloads.rate());
    }

    private RunLoop.Turn next(int turn, int number, String heading, WorkloadFile workload) {
        ResultFiles files = ResultFiles.inFolder(folder);
        return new RunLoop.Turn(number, heading, driver(turn), workload, repetition(turn), files, Duration.ZERO);
    }

    /** Returns the highest rate; without a measurement that held one, no more than the last achieved; empty if none. */
    private static OptionalDouble highestMsgPerSec(JsonNode result) {
        JsonNode found = result.path("search").path("foundRate");
        Map<String, Double> metrics = RunMetrics.of(result);
        Double confirmed = metrics.get("sustainableRate");
        if (confirmed != null) {
            return OptionalDouble.of(confirmed);
        }
        if (!found.isNumber()) {
            return OptionalDouble.empty();
        }
        double achieved = metrics.getOrDefault(RunMetrics.PUBLISH_RATE, Double.POSITIVE_INFINITY);
        return OptionalDouble.of(Math.min(found.doubleValue(), achieved));
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
