package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.console.WorkloadOutline;
import io.openmessaging.benchmark.cli.limits.RunLimits;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.summary.SystemsTable;
import io.openmessaging.benchmark.summary.SystemsTable.Figures;
import io.openmessaging.benchmark.worker.DriverLoader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every workload with every driver: driver by driver, each with its broker, one workload after the other, a result
 * after each run.
 *
 * @param drivers in the order given
 * @param workloads in the order given
 * @param files destination of the results
 * @param csvFolder folder whose results go into a table at the end; empty for no table
 */
public record Suite(
        List<ConfiguredDriver> drivers, List<WorkloadFile> workloads, ResultFiles files, Optional<Path> csvFolder)
        implements Job {

    /**
     * Reads all files and reports all problems at once.
     *
     * @param output the file for the result of a single run
     * @param results the folder of the results if there is no such file
     * @throws UserException with a line for each problem
     */
    public static Suite check(
            List<Path> driverPaths,
            List<Path> workloadPaths,
            Optional<Path> output,
            Path results,
            Optional<Path> csvFolder)
            throws UserException {
        Installation installation = Installation.fromSystemProperties();
        List<String> problems = new ArrayList<>();
        if (driverPaths.isEmpty()) {
            problems.add("benchmark: no driver given, use --drivers FILE or NAME; bin/benchmark list shows names");
        }
        if (workloadPaths.isEmpty()) {
            problems.add("benchmark: no workload given; bin/benchmark list workloads shows names");
        }
        DriverLoader loader = new DriverLoader(installation.drivers());
        List<ConfiguredDriver> drivers = new ArrayList<>();
        Catalog catalog = new Catalog(installation.home());
        for (Path path : found(driverPaths, Catalog.FileType.DRIVER, catalog, problems)) {
            try {
                drivers.add(ConfiguredDriver.load(DriverFile.read(path), loader));
            } catch (ConfigException e) {
                problems.add(e.getMessage());
            }
        }
        List<WorkloadFile> workloads = new ArrayList<>();
        for (Path path : found(workloadPaths, Catalog.FileType.WORKLOAD, catalog, problems)) {
            try {
                workloads.add(WorkloadFile.read(path, installation.home()));
            } catch (ConfigException e) {
                problems.add(e.getMessage());
            }
        }
        for (ConfiguredDriver driver : drivers) {
            workloads.forEach(workload -> driver.cannot(workload).ifPresent(problems::add));
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        int runs = drivers.size() * workloads.size();
        if (output.isPresent() && runs > 1) {
            throw new UserException("benchmark: --output is for a single run, these are " + runs + " runs");
        }
        ResultFiles files = output.map(ResultFiles::toFile).orElseGet(() -> ResultFiles.inFolder(results));
        // The folder of the results is created with the first result, so it may be missing.
        if (csvFolder.isPresent()
                && !Files.isDirectory(csvFolder.get())
                && !csvFolder.get().toAbsolutePath().equals(files.folder().toAbsolutePath())) {
            throw new UserException("benchmark: --csv: there is no folder " + csvFolder.get());
        }
        return new Suite(drivers, workloads, files, csvFolder);
    }

    @Override
    public void look() throws ResultFileException {
        files.look();
    }

    private static List<Path> found(List<Path> given, Catalog.FileType kind, Catalog catalog, List<String> problems) {
        List<Path> found = new ArrayList<>();
        for (Path path : given) {
            catalog.find(kind, path).ifPresentOrElse(found::add, () -> problems.add(catalog.unknown(kind, path)));
        }
        return found;
    }

    @Override
    public List<WorkloadFile> workloadsOf(ConfiguredDriver driver) {
        return workloads;
    }

    private Agenda agenda() {
        return new Agenda(
                "",
                drivers.stream()
                        .flatMap(driver -> workloads.stream()
                                .map(workload -> new Agenda.Item(
                                        workload.workload().name() + " on " + driver.name(),
                                        WorkloadOutline.shortest(workload.workload()),
                                        null)))
                        .toList());
    }

    private String heading(int number, ConfiguredDriver driver, WorkloadFile workload) {
        return "run " + number + " of " + drivers.size() * workloads.size() + ": "
                + workload.workload().name() + " on " + driver.name();
    }

    @Override
    public int run(Invocation session) throws UserException, ResultFileException {
        ResultFiles written = files.withWorkerLogs(session.workerLogs());
        written.check();
        LogFile.open(session.results().resolve("benchmark.log"));
        session.live().agenda(agenda());
        SystemsTable table = new SystemsTable();
        RunLoop loop = new RunLoop(session, new RunExecutor(session)::execute, false);
        try {
            int number = 0;
            for (ConfiguredDriver driver : drivers) {
                for (WorkloadFile workload : workloads) {
                    number++;
                    if (!session.stop().requested()) {
                        RunExecutor.Execution outcome = loop.run(new RunLoop.Turn(
                                number,
                                heading(number, driver, workload),
                                driver,
                                workload,
                                1,
                                written,
                                Duration.ZERO));
                        table.add(
                                workload.workload().name(),
                                driver.name(),
                                Figures.ALL,
                                outcome.verdict(),
                                outcome.problem(),
                                outcome.result());
                    }
                }
            }
        } finally {
            loop.endBroker();
        }
        if (table.comparesSystems()) {
            session.out().println();
            table.lines().forEach(session.out()::println);
        }
        return loop.exitCode();
    }

    @Override
    public void describe(BrokerStarter starter, PrintWriter out) {
        Duration total = describeRuns(starter, out);
        out.println("all together: "
                + (total.isZero() ? "as long as the messages take" : "at least " + DurationText.format(total)));
    }

    /** Describes each run; returns the minimum time of all of them. */
    Duration describeRuns(BrokerStarter starter, PrintWriter out) {
        Duration total = Duration.ZERO;
        int number = 0;
        for (ConfiguredDriver driver : drivers) {
            for (WorkloadFile workload : workloads) {
                number++;
                total = total.plus(WorkloadOutline.shortest(workload.workload()));
                out.println(heading(number, driver, workload));
                out.printf(
                        "  driver    %s (%s)%n",
                        driver.file().path(), driver.loaded().clientVersion());
                out.printf("  broker    %s%n", starter.describe(driver));
                RunLimits.describe(starter.limits(driver).during(starter.mayStart(driver)))
                        .ifPresent(limits -> out.printf("  limits    %s%n", limits));
                WorkloadOutline.describe(workload, out);
            }
        }
        return total;
    }
}
