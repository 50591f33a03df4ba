package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.cli.job.BrokerMode;
import io.openmessaging.benchmark.cli.job.BrokerStarter;
import io.openmessaging.benchmark.cli.job.Invocation;
import io.openmessaging.benchmark.cli.job.Job;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.fleet.Fleet;
import io.openmessaging.benchmark.fleet.FleetException;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.fleet.WorkerOptions;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command that runs workloads, and the procedure that all of them share. */
final class RunOptions {

    /** Reads and checks what the command should run. */
    @FunctionalInterface
    interface JobReader {
        Job read() throws UserException, ConfigException, PlanException, ResultFileException;
    }

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--brokers",
            paramLabel = "WHERE",
            defaultValue = "auto",
            description = "Starts one: auto (if none is here), local, external.")
    private BrokerMode brokers = BrokerMode.AUTO;

    @Option(names = "--local-nodes", paramLabel = "N", description = "Nodes of a local broker, instead of the file's.")
    private @Nullable Integer localNodes;

    @Option(names = "--dry-run", description = "Checks everything and prints what would run.")
    private boolean dryRun;

    @Option(
            names = "--metrics-port",
            paramLabel = "N",
            description = "Serves figures to Prometheus; 0: at any free port.")
    private @Nullable Integer metricsPort;

    @Option(
            names = "--metrics-host",
            paramLabel = "HOST",
            description = "Serves them at this address, for other machines.")
    private @Nullable String metricsHost;

    @Mixin
    private PageOptions page = new PageOptions();

    @Mixin
    private WorkerOptions workers = new WorkerOptions();

    private final StopSignal stop;
    private final Path currentFolder;

    /**
     * Creates options that are not parsed yet.
     *
     * @param stop requests the end of the run
     * @param currentFolder folder of the results
     */
    RunOptions(StopSignal stop, Path currentFolder) {
        this.stop = stop;
        this.currentFolder = currentFolder;
    }

    /** Returns the default folder of the results. */
    Path results() {
        return currentFolder.resolve("results");
    }

    /** Resolves a path given by the user against the folder in which the command was started. */
    Path resolve(Path given) {
        return currentFolder.resolve(given);
    }

    boolean isDry() {
        return dryRun;
    }

    /**
     * Runs or describes the job. Everything is checked before anything is started.
     *
     * @return the exit code
     */
    int run(JobReader reader) throws UserException, ConfigException, PlanException, ResultFileException {
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        Optional<FleetRequest> fleet = fleet();
        if (workers.extra() && fleet.isEmpty()) {
            err.println("benchmark: --extra has no effect without workers");
        }
        LogFile.silence();
        MetricsAddress metrics = MetricsAddress.check(metricsHost, metricsPort);
        page.check();
        Job job = reader.read();
        BrokerStarter starter = new BrokerStarter(brokers, localNodes, Installation.fromSystemProperties(), out);
        starter.check(job, fleet);
        starter.crowding(job, fleet, Runtime.getRuntime().availableProcessors()).ifPresent(out::println);
        if (dryRun) {
            job.look();
            fleet.ifPresent(asked -> out.println("workers: " + asked.describe()));
            job.describe(starter, out);
            return ExitCode.OK;
        }
        starter.checkEnforcement(job);
        try (MetricsAddress.Served figures = metrics.serve(new LiveRuns(System::currentTimeMillis), out);
                MetricsAddress.Served shown = page.serve(figures.runs(), out);
                Fleet opened = fleet.isPresent() ? open(fleet.get(), out) : null) {
            return job.run(new Invocation(results(), starter, shown.runs(), opened, stop, out, err));
        } catch (InterruptedException e) {
            return ExitCode.INTERRUPTED;
        }
    }

    private Optional<FleetRequest> fleet() throws UserException, ConfigException {
        try {
            return workers.request(currentFolder);
        } catch (FleetException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    private Fleet open(FleetRequest asked, PrintWriter out) throws UserException, InterruptedException {
        try {
            Fleet opened = Invocation.openFleet(asked, Confinement.NONE, stop, out);
            opened.describe().forEach(out::println);
            return opened;
        } catch (FleetException e) {
            throw new UserException(String.valueOf(e.getMessage()), e.mayPass() ? ExitCode.FAILED : ExitCode.BAD_INPUT);
        } catch (IOException e) {
            throw new UserException("benchmark: the installation cannot be read: " + e.getMessage());
        }
    }
}
