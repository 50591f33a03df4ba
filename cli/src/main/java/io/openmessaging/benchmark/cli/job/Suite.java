package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.fault.BrokerFaults;
import io.openmessaging.benchmark.cli.limits.RunLimits;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.SweepPlan;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.result.MessageSizes;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.summary.SystemsTable;
import io.openmessaging.benchmark.worker.DriverLoader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

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
                                        shortest(workload.workload()),
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
        StopSignal stop = session.stop();
        session.live().agenda(agenda());
        SuiteContext runs = new SuiteContext(session, new RunExecutor(session), written, new SystemsTable());
        int exitCode = ExitCode.OK;
        for (ConfiguredDriver driver : drivers) {
            exitCode = Math.max(exitCode, run(driver, runs));
        }
        if (runs.table().comparesSystems()) {
            session.out().println();
            runs.table().lines().forEach(session.out()::println);
        }
        return stop.requested() ? ExitCode.INTERRUPTED : exitCode;
    }

    /** Context shared by the runs of a suite. */
    private record SuiteContext(Invocation session, RunExecutor executor, ResultFiles files, SystemsTable table) {

        void add(ConfiguredDriver driver, WorkloadFile workload, RunExecutor.Execution outcome) {
            table.add(
                    workload.workload().name(),
                    driver.name(),
                    SystemsTable.Figures.ALL,
                    outcome.verdict(),
                    outcome.problem(),
                    outcome.result());
        }
    }

    /** Runs all workloads on one broker, unless their faults need one that is started differently. */
    private int run(ConfiguredDriver driver, SuiteContext runs) {
        Invocation session = runs.session();
        LiveRuns live = session.live();
        int before = drivers.indexOf(driver) * workloads.size();
        int exitCode = ExitCode.OK;
        int next = 0;
        while (next < workloads.size() && !session.stop().requested()) {
            live.preparing(before + next + 1, BrokerLease.WAIT);
            try (BrokerLease broker = BrokerLease.take(driver, workloads.get(next), session)) {
                while (next < workloads.size()
                        && broker.isFor(workloads.get(next))
                        && !session.stop().requested()) {
                    WorkloadFile workload = workloads.get(next);
                    next++;
                    session.out().println(heading(before + next, driver, workload));
                    live.preparing(before + next, BrokerLease.WAIT);
                    RunExecutor.Execution outcome = runs.executor().execute(broker, workload, 1, runs.files());
                    live.finished(before + next, outcome.verdict().name(), outcome.problem());
                    runs.add(driver, workload, outcome);
                    if (outcome.failed()) {
                        exitCode = ExitCode.FAILED;
                    }
                }
            } catch (LocalBrokerException | BrokerLease.NobodyListensException e) {
                session.complain(String.valueOf(e.getMessage()));
                for (; next < workloads.size(); next++) {
                    live.finished(before + next + 1, Verdict.FAILED.name(), e.getMessage());
                    runs.add(
                            driver,
                            workloads.get(next),
                            new RunExecutor.Execution(Verdict.FAILED, e.getMessage(), null));
                }
                return ExitCode.FAILED;
            } catch (InterruptedException e) {
                session.stop().request();
            }
        }
        return exitCode;
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
                total = total.plus(shortest(workload.workload()));
                out.println(heading(number, driver, workload));
                out.printf(
                        "  driver    %s (%s)%n",
                        driver.file().path(), driver.loaded().clientVersion());
                out.printf("  broker    %s%n", starter.describe(driver));
                RunLimits.describe(starter.limits(driver).during(starter.mayStart(driver)))
                        .ifPresent(limits -> out.printf("  limits    %s%n", limits));
                describe(workload, out);
            }
        }
        return total;
    }

    private static void describe(WorkloadFile file, PrintWriter out) {
        Workload workload = file.workload();
        out.printf("  workload  %s%n", file.path());
        out.printf(
                "  topics    %d with %d partitions; for each %d producers, %d subscriptions of %d consumers%n",
                workload.topics(),
                workload.partitionsPerTopic(),
                workload.producersPerTopic(),
                workload.subscriptionsPerTopic(),
                workload.consumerPerSubscription());
        out.printf("  load      %s%n", workload.consumesOnly() ? "none: consumes existing messages" : load(workload));
        workload.faultsInOrder().forEach(fault -> out.printf("  fault     %s%n", BrokerFaults.describe(fault)));
        out.printf("  time      warm-up %s, then %s%n", DurationText.format(workload.warmupTime()), length(workload));
    }

    private static String load(Workload workload) {
        return "%s, %s%s"
                .formatted(
                        words(workload),
                        MessageSizes.of(workload),
                        workload.buildsBacklog() ? ", a backlog of " + workload.consumerBacklogSizeGB() + " GiB" : "");
    }

    private static String length(Workload workload) {
        Optional<String> time = workload.testTime().map(DurationText::format);
        if (workload.messageCount() == null && !workload.consumesOnly()) {
            return time.orElseThrow();
        }
        String count =
                workload.messageCount() == null ? "" : "until " + workload.messageCount() + " messages have arrived";
        String quiet = count.isEmpty() ? "until no more messages arrive" : ", or no more messages arrive";
        return count
                + (workload.consumesOnly() ? quiet : "")
                + time.map(limit -> ", at most " + limit).orElse("");
    }

    /** Returns the minimum time of a run. */
    static Duration shortest(Workload workload) {
        return shortest(
                workload,
                workload.messageRate() instanceof ProducerRate.Fixed fixed
                        ? OptionalDouble.of(fixed.messagesPerSecond())
                        : OptionalDouble.empty());
    }

    /**
     * Returns the minimum time of a run whose messages are sent at this rate.
     *
     * @param msgPerSec empty if the rate is unknown
     */
    static Duration shortest(Workload workload, OptionalDouble msgPerSec) {
        return workload.warmupTime().plus(shortestMeasurement(workload, msgPerSec));
    }

    private static Duration shortestMeasurement(Workload workload, OptionalDouble msgPerSec) {
        if (workload.consumesOnly()) {
            return Duration.ZERO;
        }
        Long count = workload.messageCount();
        if (count == null) {
            return workload.testTime().orElseThrow();
        }
        // Rounded, since nobody wants to read the nanoseconds of so many messages.
        Duration sending =
                msgPerSec.isPresent() ? Duration.ofSeconds((long) (count / msgPerSec.getAsDouble())) : Duration.ZERO;
        return workload.testTime().filter(time -> time.compareTo(sending) < 0).orElse(sending);
    }

    private static String words(Workload workload) {
        ProducerRate rate = workload.producerRate();
        if (workload.messageRate() instanceof ProducerRate.Fixed fixed) {
            return fixed + " msg/s";
        }
        SweepPlan sweep = workload.rateSweep();
        if (sweep != null) {
            List<Double> rates = sweep.rates(workload.meanMessageBytes());
            return rates.size() + " rates, each for " + DurationText.format(sweep.stepTime()) + " after "
                    + DurationText.format(sweep.settleTime()) + ": "
                    + rates.stream().map(Quantities::number).collect(Collectors.joining(", "))
                    + " msg/s, up to the first that is not sustained"
                    + (sweep.further() == 0 ? "" : " and " + sweep.further() + " more");
        }
        if (rate instanceof ProducerRate.GivenBy) {
            return workload.schedule().size() + " rates, one after the other";
        }
        return rate instanceof ProducerRate.Unlimited
                ? "as fast as the client accepts it"
                : "the highest sustainable rate, to be found";
    }
}
