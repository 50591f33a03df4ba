package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.result.file.RunMetrics;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.summary.SystemsTable;
import io.openmessaging.benchmark.summary.SystemsTable.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * Compares systems one after the other: at a given rate, or finds the highest rate that a system sustains, then measures
 * latencies at half of it.
 *
 * @param first the first run of each system
 * @param workloads templates for the workloads
 * @param folder for all files
 */
public record QuickJob(Suite first, QuickWorkloads workloads, Path folder) implements Job {

    private static final String LOG = "benchmark.log";
    private static final String FIRST = "first.yaml";

    /** Reads and checks the driver files, and writes the workload of the first runs. */
    public static QuickJob check(List<Path> drivers, QuickWorkloads workloads, Path folder)
            throws UserException, ResultFileException {
        String rate = workloads.rate();
        Path file = write(folder, FIRST, rate == null ? workloads.search() : workloads.atRate(rate));
        return new QuickJob(
                Suite.check(drivers, List.of(file), Optional.empty(), folder, Optional.empty()), workloads, folder);
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
        out.println("each system: about " + DurationText.format(workloads.each())
                + (searches()
                        ? ", of which the search usually takes " + DurationText.format(workloads.usualSearch())
                        : ""));
        Duration starts = drivers().stream().map(starter::startTime).reduce(Duration.ZERO, Duration::plus);
        out.println("all together: about "
                + DurationText.format(
                        workloads.each().multipliedBy(drivers().size()).plus(starts))
                + (starts.isZero() ? "" : ", " + DurationText.format(starts) + " of it until brokers have started"));
    }

    @Override
    public int run(Invocation session) throws ResultFileException {
        LogFile.open(folder.resolve(LOG));
        session.live().agenda(agenda());
        StopSignal stop = session.stop();
        Comparison comparison = new Comparison(session, new RunExecutor(session), new SystemsTable());
        boolean failed = false;
        for (int i = 0; i < drivers().size() && !stop.requested(); i++) {
            failed |= compare(drivers().get(i), runsOfEach() * i + 1, comparison);
        }
        PrintWriter out = session.out();
        out.println();
        comparison.table().lines().forEach(out::println);
        out.println();
        out.println(
                "results and workloads: " + folder + "; a report of them: bin/benchmark report -o report " + folder);
        return stop.requested() ? ExitCode.INTERRUPTED : failed ? ExitCode.FAILED : ExitCode.OK;
    }

    private Agenda agenda() {
        List<Agenda.Item> items = new ArrayList<>();
        for (ConfiguredDriver driver : drivers()) {
            if (searches()) {
                Duration search = workloads.usualSearch();
                items.add(new Agenda.Item("highest rate of " + driver.name(), search, null));
                items.add(new Agenda.Item(
                        "latencies of " + driver.name(), workloads.each().minus(search), null));
            } else {
                items.add(new Agenda.Item(driver.name(), workloads.each(), null));
            }
        }
        return new Agenda("", items);
    }

    /** Context shared by all runs. */
    private record Comparison(Invocation session, RunExecutor executor, SystemsTable table) {

        /** Adds a run to the table; returns whether its verdict is other than OK. */
        boolean ended(ConfiguredDriver driver, int number, Figures figures, RunExecutor.Execution run) {
            session.live().finished(number, run.verdict().name(), run.problem());
            table.add("", driver.name(), figures, run.verdict(), run.problem(), run.result());
            return run.verdict() != Verdict.OK;
        }
    }

    /**
     * Measures one system, for the comparison with the others.
     *
     * @param number of its first run in the agenda
     * @return whether a run has a verdict other than OK
     */
    private boolean compare(ConfiguredDriver driver, int number, Comparison comparison) {
        Invocation session = comparison.session();
        LiveRuns live = session.live();
        ResultFiles files = ResultFiles.inFolder(folder);
        WorkloadFile workload = first.workloads().get(0);
        session.out()
                .println("\n" + driver.name()
                        + (searches() ? ": the highest rate, then latencies at half of it" : ": " + workloads.rate()));
        live.preparing(number, BrokerLease.WAIT);
        Figures figures = searches() ? Figures.HIGHEST_RATE : Figures.ALL;
        try (BrokerLease broker = BrokerLease.take(driver, workload, session)) {
            long startNs = System.nanoTime();
            RunExecutor.Execution found = comparison.executor().execute(broker, workload, 1, files);
            boolean failed = comparison.ended(driver, number, figures, found);
            OptionalDouble highest = highestMsgPerSec(found.result());
            if (!searches() || highest.isEmpty() || session.stop().requested()) {
                if (searches()) {
                    live.finished(number + 1, LiveRuns.SKIPPED, null);
                }
                return failed;
            }
            live.preparing(number + 1, BrokerLease.WAIT);
            String text = workloads.latency(highest.getAsDouble() / 2, Duration.ofNanos(System.nanoTime() - startNs));
            RunExecutor.Execution measured = measure(broker, text, comparison.executor(), files);
            return comparison.ended(driver, number + 1, Figures.LATENCIES, measured) || failed;
        } catch (LocalBrokerException | BrokerLease.NobodyListensException | ConfigException e) {
            session.complain(String.valueOf(e.getMessage()));
            if (searches()) {
                live.finished(number + 1, LiveRuns.SKIPPED, null);
            }
            return comparison.ended(
                    driver, number, figures, new RunExecutor.Execution(Verdict.FAILED, e.getMessage(), null));
        } catch (InterruptedException e) {
            session.stop().request();
            return comparison.ended(
                    driver, number, figures, new RunExecutor.Execution(Verdict.INTERRUPTED, null, null));
        }
    }

    /** Returns the highest rate, even if the measurement at it does not confirm it; empty if none was found. */
    private static OptionalDouble highestMsgPerSec(JsonNode result) {
        JsonNode found = result.path("search").path("foundRate");
        Double confirmed = RunMetrics.of(result).get("sustainableRate");
        return confirmed != null
                ? OptionalDouble.of(confirmed)
                : found.isNumber() ? OptionalDouble.of(found.doubleValue()) : OptionalDouble.empty();
    }

    /**
     * Executes the second run. If its workload cannot be written, that run fails, and the first result is still shown.
     */
    private RunExecutor.Execution measure(BrokerLease broker, String workload, RunExecutor executor, ResultFiles files)
            throws ConfigException {
        try {
            Path file = write(folder, "latency-" + broker.driver().name() + ".yaml", workload);
            return executor.execute(
                    broker,
                    WorkloadFile.read(file, Installation.fromSystemProperties().home()),
                    1,
                    files);
        } catch (ResultFileException e) {
            return executor.failure(String.valueOf(e.getMessage()));
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
