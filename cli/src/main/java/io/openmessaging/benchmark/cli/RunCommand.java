package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.fleet.Fleet;
import io.openmessaging.benchmark.fleet.FleetException;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.fleet.WorkerOptions;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.PlanRequest;
import io.openmessaging.benchmark.result.compare.ResultsCsv;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code bin/benchmark}. Those of OMB have OMB's names and meaning. */
@Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        versionProvider = BenchmarkCommand.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Load-tests messaging systems: reports rates, latencies and what became of every message.",
        footer = {
            "",
            "Every workload is run with every driver; each run writes a result to results/.",
            "Exit code: 0 all runs are OK, 1 a run failed, is INVALID or SLO_MISSED, 2 bad arguments or configuration,",
            "130 ended by Ctrl-C.",
            "",
            "  bin/benchmark --drivers driver-kafka/kafka.yaml workloads/smoke/kafka-1kb.yaml",
            "  bin/benchmark -d kafka smoke/kafka-1kb    (the same by short names)",
            "  bin/benchmark --plan workloads/smoke/plan.yaml",
            "",
            "  bin/benchmark quick        compares systems in ten minutes: highest rate, and latency at half of it",
            "  bin/benchmark list         driver files, workloads and plans by their names, and local brokers",
            "  bin/benchmark doctor       whether this machine is fit to measure",
            "  bin/benchmark explain      what a finding means and what to do about it",
            "  bin/benchmark calibrate    what the harness itself can do on this machine",
            "  bin/benchmark workers      whether workers are there, and how far their clocks are apart"
        })
final class BenchmarkCommand implements Callable<Integer> {

    /** Asks the build. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"benchmark " + Installation.version()};
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-d", "--drivers"},
            split = ",",
            paramLabel = "FILE",
            description = "Driver files or their short names, separated by commas.")
    private List<Path> drivers = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The result file of a single run, instead of a new one in results/.")
    private @Nullable Path output;

    @Option(
            names = {"-c", "--csv"},
            paramLabel = "DIR",
            description =
                    "Writes results-<time>.csv: a row for each result in this folder, after the runs if there are any.")
    private @Nullable Path csvFolder;

    @Option(
            names = "--brokers",
            paramLabel = "WHERE",
            defaultValue = "auto",
            description = {
                "auto: start a local broker if the driver points to this machine and nothing listens there (default);",
                "local: always start one; external: never."
            })
    private BrokerMode brokers = BrokerMode.AUTO;

    @Option(
            names = "--local-nodes",
            paramLabel = "N",
            description = "How many nodes a local broker has (default: the driver file's localBroker.nodes, else 1).")
    private @Nullable Integer localNodes;

    @Option(
            names = "--metrics-port",
            paramLabel = "N",
            description = {
                "Serves the figures of runs while they go on, in Prometheus' format, at",
                "http://127.0.0.1:N/metrics; 0 for any free port."
            })
    private @Nullable Integer metricsPort;

    @Option(
            names = "--metrics-host",
            paramLabel = "HOST",
            description = "The address of this machine to serve them on instead; 0.0.0.0 for all of them.")
    private @Nullable String metricsHost;

    @Option(
            names = "--dry-run",
            description = "Checks all files, prints what would run and for how long, and touches no broker.")
    private boolean dryRun;

    @Mixin
    private WorkerOptions workers = new WorkerOptions();

    @Mixin
    private PageOptions page = new PageOptions();

    @Mixin
    private PlanOptions plans = new PlanOptions();

    @Parameters(paramLabel = "WORKLOAD", arity = "0..*", description = "Workload files or their short names.")
    private List<Path> workloads = List.of();

    private final StopSignal stop;
    private final Path currentFolder;

    /**
     * A command that is not parsed yet.
     *
     * @param stop asks for the end of the run
     * @param currentFolder where results go
     */
    BenchmarkCommand(StopSignal stop, Path currentFolder) {
        this.stop = stop;
        this.currentFolder = currentFolder;
    }

    @Override
    public Integer call() throws UserException, ConfigException, PlanException, ResultFileException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        plans.check();
        if (plans.judge != null) {
            PlanClaims.judge(plans.judge, plans.published, out);
            return ExitCode.OK;
        }
        PlanRequest plan = plans.plan == null ? null : plans.request(plans.plan, drivers);
        if (plan != null) {
            refuseBesideAPlan();
        } else if (csvFolder != null && drivers.isEmpty() && workloads.isEmpty()) {
            writeCsv(csvFolder);
            return ExitCode.OK;
        }
        Optional<FleetRequest> fleet = fleet();
        if (workers.extra() && fleet.isEmpty()) {
            err.println("benchmark: --extra has no effect: without workers there are no more of them");
        }
        LogFile.silence();
        MetricsAddress metrics = MetricsAddress.check(metricsHost, metricsPort);
        page.check();
        Job job = plan == null ? suite() : plan(plan);
        BrokerStarter starter = new BrokerStarter(brokers, localNodes, Installation.fromSystemProperties(), out);
        starter.check(job, fleet);
        if (dryRun) {
            fleet.ifPresent(asked -> out.println("workers: " + asked.describe()));
            job.describe(starter, out);
            return ExitCode.OK;
        }
        try (MetricsAddress.Served figures = metrics.serve(out);
                MetricsAddress.Served shown = page.serve(out);
                Fleet opened = fleet.isPresent() ? open(fleet.get(), out) : null) {
            LiveRuns live = LiveRuns.both(figures.runs(), shown.runs());
            int exitCode = job.run(new Session(results(), starter, live, opened, stop, out, err));
            return csvFolder == null ? exitCode : withCsv(csvFolder, exitCode);
        } catch (InterruptedException e) {
            return ExitCode.INTERRUPTED;
        }
    }

    /** Ctrl-C interrupts that. */
    private Fleet open(FleetRequest asked, PrintWriter out) throws UserException, InterruptedException {
        stop.interruptFrom();
        try {
            Fleet opened = Fleet.open(
                    asked,
                    new Fleet.Installed(Installation.fromSystemProperties().home(), Installation.build()));
            opened.describe().forEach(out::println);
            return opened;
        } catch (FleetException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UserException("benchmark: what is installed cannot be read: " + e.getMessage());
        } finally {
            stop.noInterrupts();
        }
    }

    private void refuseBesideAPlan() throws UserException {
        if (!workloads.isEmpty() || output != null || csvFolder != null) {
            String what = workloads.isEmpty() ? output == null ? "--csv" : "--output" : "WORKLOAD";
            throw new UserException("benchmark: " + what + ": not with --plan, which says itself what is run");
        }
    }

    private Job suite() throws UserException {
        return Suite.check(drivers, workloads, Optional.ofNullable(output), results(), Optional.ofNullable(csvFolder));
    }

    private Job plan(PlanRequest request) throws UserException, PlanException {
        Path parent = plans.outputDir == null ? results() : currentFolder.resolve(plans.outputDir);
        return PlanCommand.check(request, parent, plans.fresh);
    }

    private Path results() {
        return currentFolder.resolve("results");
    }

    private Optional<FleetRequest> fleet() throws UserException, ConfigException {
        try {
            return workers.request(currentFolder);
        } catch (FleetException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    /** After runs, a table that cannot be written is a failure, but no reason to call the arguments bad. */
    private int withCsv(Path folder, int exitCode) {
        try {
            writeCsv(folder);
            return exitCode;
        } catch (ResultFileException e) {
            spec.commandLine().getErr().println("benchmark: " + e.getMessage());
            return Math.max(exitCode, ExitCode.FAILED);
        }
    }

    private void writeCsv(Path folder) throws ResultFileException {
        Path target = currentFolder.resolve("results-" + Instant.now().getEpochSecond() + ".csv");
        ResultsCsv.Written written = ResultsCsv.write(folder, target);
        written.skipped().forEach(reason -> spec.commandLine().getErr().println("skipped " + reason));
        spec.commandLine().getOut().println(written.rows() + " results written to " + target);
    }
}
