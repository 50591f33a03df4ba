package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.compare.QuickTable;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares systems one after the other: finds the highest rate that a system sustains, then measures latencies at half
 * of it.
 *
 * @param searches the search with each system
 * @param workloads templates for the workloads of both runs
 * @param folder for all files
 */
public record QuickJob(Suite searches, QuickWorkloads workloads, Path folder) implements Job {

    private static final int RUNS_OF_EACH = 2;
    private static final String LOG = "benchmark.log";
    private static final String SEARCH = "search.yaml";

    /** Reads and checks the driver files, and writes the workload of the search. */
    public static QuickJob check(List<Path> drivers, QuickWorkloads workloads, Path folder)
            throws UserException, ResultFileException {
        Path search = write(folder, SEARCH, workloads.search());
        return new QuickJob(
                Suite.check(drivers, List.of(search), Optional.empty(), folder, Optional.empty()), workloads, folder);
    }

    /** Deletes the files of a job that was refused or only described. */
    public static void removeUnused(Path folder) throws ResultFileException {
        if (Files.exists(folder.resolve(LOG))) {
            return;
        }
        try {
            Files.deleteIfExists(folder.resolve(SEARCH));
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
        searches.look();
    }

    @Override
    public List<ConfiguredDriver> drivers() {
        return searches.drivers();
    }

    @Override
    public List<WorkloadFile> workloadsOf(ConfiguredDriver driver) {
        return searches.workloads();
    }

    @Override
    public void describe(BrokerStarter starter, PrintWriter out) {
        searches.describe(starter, out);
        out.println("then latencies at half of the rate that is found, with each system");
    }

    @Override
    public int run(Invocation session) throws ResultFileException {
        LogFile.open(folder.resolve(LOG));
        session.live().agenda(agenda());
        StopSignal stop = session.stop();
        RunExecutor executor = new RunExecutor(session);
        List<QuickTable.QuickRow> rows = new ArrayList<>();
        for (int i = 0; i < drivers().size() && !stop.requested(); i++) {
            rows.add(compare(drivers().get(i), RUNS_OF_EACH * i + 1, executor, session));
        }
        PrintWriter out = session.out();
        out.println();
        QuickTable.lines(rows).forEach(out::println);
        out.println();
        out.println(
                "results and workloads: " + folder + "; a report of them: bin/benchmark report -o report " + folder);
        boolean failed = rows.stream().anyMatch(QuickTable.QuickRow::failed);
        return stop.requested() ? ExitCode.INTERRUPTED : failed ? ExitCode.FAILED : ExitCode.OK;
    }

    private Agenda agenda() {
        List<Agenda.Item> items = new ArrayList<>();
        for (ConfiguredDriver driver : drivers()) {
            items.add(new Agenda.Item("highest rate of " + driver.name(), workloads.shortest(), null));
            items.add(new Agenda.Item("latencies of " + driver.name(), workloads.shortest(), null));
        }
        return new Agenda("", items);
    }

    /**
     * Measures one system, for the comparison with the others.
     *
     * @param number of its first run in the agenda
     */
    private QuickTable.QuickRow compare(ConfiguredDriver driver, int number, RunExecutor executor, Invocation session) {
        ResultFiles files = ResultFiles.inFolder(folder);
        LiveRuns live = session.live();
        WorkloadFile search = searches.workloads().get(0);
        session.out().println("\n" + driver.name() + ": the highest rate, then latencies at half of it");
        live.preparing(number, BrokerLease.WAIT);
        try (BrokerLease broker = BrokerLease.take(driver, search, session)) {
            RunExecutor.Execution found = executor.execute(broker, search, 1, files);
            live.finished(number, found.verdict().name(), found.problem());
            QuickTable.QuickRow row = QuickTable.QuickRow.of(driver.name(), found.verdict(), read(found));
            if (row.highestMsgPerSec().isEmpty() || session.stop().requested()) {
                live.finished(number + 1, LiveRuns.SKIPPED, null);
                return row;
            }
            live.preparing(number + 1, BrokerLease.WAIT);
            double rate = row.highestMsgPerSec().getAsDouble() / 2;
            RunExecutor.Execution measured = measure(broker, rate, executor, files);
            live.finished(number + 1, measured.verdict().name(), measured.problem());
            return row.with(measured.verdict(), read(measured));
        } catch (LocalBrokerException | BrokerLease.NobodyListensException | ConfigException e) {
            session.complain(String.valueOf(e.getMessage()));
            live.finished(number, Verdict.FAILED.name(), e.getMessage());
            live.finished(number + 1, LiveRuns.SKIPPED, null);
            return QuickTable.QuickRow.empty(driver.name(), Verdict.FAILED);
        } catch (InterruptedException e) {
            session.stop().request();
            return QuickTable.QuickRow.empty(driver.name(), Verdict.INTERRUPTED);
        }
    }

    /**
     * Executes the second run. If its workload cannot be written, that run fails, and the first result is still shown.
     */
    private RunExecutor.Execution measure(BrokerLease broker, double rate, RunExecutor executor, ResultFiles files)
            throws ConfigException {
        try {
            return executor.execute(broker, latency(broker.driver(), rate), 1, files);
        } catch (ResultFileException e) {
            return executor.failure(String.valueOf(e.getMessage()));
        }
    }

    private WorkloadFile latency(ConfiguredDriver driver, double msgPerSec)
            throws ResultFileException, ConfigException {
        Path file = write(folder, "latency-" + driver.name() + ".yaml", workloads.latency(msgPerSec));
        return WorkloadFile.read(file, Installation.fromSystemProperties().home());
    }

    private static JsonNode read(RunExecutor.Execution outcome) {
        return outcome.file() == null
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(outcome.file().toFile());
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
