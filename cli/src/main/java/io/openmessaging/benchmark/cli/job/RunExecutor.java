package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.cli.console.ProgressConsole;
import io.openmessaging.benchmark.cli.console.Terminal;
import io.openmessaging.benchmark.cli.fault.BrokerFaults;
import io.openmessaging.benchmark.cli.limits.RunLimits;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.coordinator.Run;
import io.openmessaging.benchmark.fleet.Fleet;
import io.openmessaging.benchmark.fleet.FleetException;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.fleet.WorkerFaults;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.console.ConsoleSummary;
import io.openmessaging.benchmark.result.file.CalibrationFile;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.WorkerClocks;
import io.openmessaging.benchmark.worker.DriverControl;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Executes one run on an existing broker. */
final class RunExecutor {

    private static final int RUN_ID_LENGTH = 8;
    private static final int RUN_ID_RADIX = 36;

    /**
     * Outcome of a run. If there is a result, it is printed on the console already.
     *
     * @param verdict of the run; FAILED also if the result could not be written to its destination
     * @param problem what went wrong; null if nothing did
     * @param file the result, wherever it is; null if none was written
     * @param noBroker why there was no broker for the run; null if there was one
     */
    record Execution(
            Verdict verdict,
            @Nullable String problem,
            @Nullable Path file,
            @Nullable Exception noBroker) {

        /** Returns the outcome of a run that measured nothing. */
        static Execution failure(String problem) {
            return new Execution(Verdict.FAILED, problem, null, null);
        }

        /** Returns whether the exit code has to report a failure. */
        boolean failed() {
            return verdict != Verdict.OK && verdict != Verdict.INTERRUPTED;
        }

        /** Reads the result again; an empty object if none was written. */
        JsonNode result() {
            return file == null
                    ? JsonMapper.shared().createObjectNode()
                    : JsonMapper.shared().readTree(file.toFile());
        }
    }

    /**
     * Where the load of a run comes from.
     *
     * @param limits the group of this process; empty without limits
     * @param fleet the workers; null for this process
     */
    private record Clients(
            Optional<LimitGroup> limits, @Nullable Fleet fleet) {}

    private final Invocation session;
    private final Optional<Calibration> calibration;

    /** Reads the calibration of this machine, if there is one; remote workers report their own ceilings. */
    RunExecutor(Invocation session) {
        this.session = session;
        this.calibration = session.fleet() == null
                ? CalibrationFile.readFor(
                        Environment.here(Installation.version(), ""),
                        session.results().resolve(CalibrationFile.NAME),
                        session::complain)
                : Optional.empty();
    }

    private static FaultMeans meansOf(Optional<RunningBroker> running, @Nullable Fleet fleet) {
        FaultMeans nodes = new BrokerFaults(running);
        FaultMeans workers = fleet == null ? FaultMeans.NONE : new WorkerFaults(fleet);
        return (fault, leader) -> (fault.worker().isPresent() ? workers : nodes).begin(fault, leader);
    }

    private static RunRequest.BrokerState stateOf(RunningBroker broker) {
        return new RunRequest.BrokerState() {
            @Override
            public Optional<String> failure() {
                return broker.failure();
            }

            @Override
            public List<String> endedNodes() {
                return broker.endedNodes();
            }
        };
    }

    /** Returns a unique name for a run. */
    static String newRunId() {
        SecureRandom random = new SecureRandom();
        StringBuilder id = new StringBuilder();
        while (id.length() < RUN_ID_LENGTH) {
            id.append(Character.forDigit(random.nextInt(RUN_ID_RADIX), RUN_ID_RADIX));
        }
        return id.toString();
    }

    /**
     * Runs the workload, prints its progress, and writes the result.
     *
     * @param repetition number among equal runs, from 1
     */
    Execution execute(BrokerLease broker, WorkloadFile workload, int repetition, ResultFiles files)
            throws InterruptedException {
        List<byte[]> contents;
        try {
            contents = workload.payload().isPresent() ? workload.payload().get().contents() : List.of();
        } catch (IOException e) {
            return Execution.failure("the payload of " + workload.path() + " cannot be read: " + e.getMessage());
        }
        Seed seed = new Seed(workload.workload().seedOf(repetition));
        try (RunLimits.Entered here = broker.limits().enterClients();
                Fleet each = broker.limits().limitsEachClient() ? eachClient(broker.limits(), workload) : null) {
            Clients clients = new Clients(here.group(), each == null ? session.fleet() : each);
            return report(run(broker, workload, contents, seed, clients, files.folder()), files);
        } catch (IOException e) {
            return Execution.failure("the clients cannot be started within their limits: " + e.getMessage());
        } catch (FleetException e) {
            return Execution.failure(e.reasons());
        }
    }

    /** Starts a limited process for each producer and each consumer of a run. */
    private Fleet eachClient(RunLimits limits, WorkloadFile workload)
            throws FleetException, IOException, InterruptedException {
        FleetRequest request = FleetRequest.ofEachClient(workload.workload());
        session.out().println("starting " + request.count() + " processes, one for each producer and each consumer");
        return Invocation.openFleet(request, limits.eachClient(), session.stop(), session.out());
    }

    private RunResult run(
            BrokerLease broker, WorkloadFile workload, List<byte[]> contents, Seed seed, Clients clients, Path results)
            throws FleetException, InterruptedException {
        ConfiguredDriver driver = broker.driver();
        Optional<RunningBroker> running = broker.running();
        Fleet fleet = clients.fleet();
        EpochClock clock = fleet == null ? new EpochClock() : fleet.clock();
        ProgressConsole console = new ProgressConsole(session.out(), Terminal.isOutput());
        try (ResourceMonitor monitor = RunMonitoring.over(
                driver, running, clients.limits(), results, workload.workload().resourcePeriod())) {
            // First, since workers may be missing from now on, which the request has to tell.
            Worker worker = fleet == null
                    ? new LocalWorker(driver.installed(), clock, console::waits)
                    : workerOf(fleet, console);
            RunRequest request = new RunRequest(
                    newRunId(),
                    workload,
                    contents,
                    new RunRequest.SystemUnderTest(
                            driver.loaded().description(),
                            new DriverControl(driver.loaded()),
                            driver.shown(),
                            running.map(RunningBroker::settings),
                            running.map(RunExecutor::stateOf).orElse(Optional::empty),
                            meansOf(running, fleet)),
                    new RunRequest.Conditions(
                            Environment.here(Installation.version(), clock.description()),
                            fleet == null ? calibration : Optional.empty(),
                            monitor,
                            broker.limits().during(running.isPresent()),
                            fleet == null ? WorkerClocks.NONE : fleet::clockReports,
                            fleet == null ? List.of() : fleet.notes()),
                    RunTimeouts.standard().grownFor(workload.workload()),
                    seed);
            RunListener listener = RunListener.both(console, session.live().begin(request));
            if (fleet != null) {
                // Called first, so that the progress line shows the current state of the workers.
                listener = RunListener.both(fleet.listener(listener), listener);
            }
            RunResult result = new Run(request, worker, session.stop(), listener, clock).execute();
            console.clear();
            session.live().ended(result);
            return result;
        }
    }

    /** Returns the workers for a run. May take a minute if one was lost in the previous run. */
    private Worker workerOf(Fleet fleet, ProgressConsole console) throws FleetException, InterruptedException {
        session.stop().interruptFrom();
        try {
            return fleet.worker(console::waiting);
        } finally {
            session.stop().noInterrupts();
        }
    }

    private Execution report(RunResult result, ResultFiles planned) {
        // The number of workers can change from run to run.
        ResultFiles files = planned.withWorkerLogs(session.workerLogs());
        boolean nothingMeasured = result.measured().isEmpty() && result.warmup().isEmpty();
        if (nothingMeasured && result.failure() != null) {
            return Execution.failure(result.failure());
        }
        if (nothingMeasured && result.verdict() == Verdict.INTERRUPTED) {
            session.out().println("interrupted before anything was measured");
            return new Execution(Verdict.INTERRUPTED, null, null, null);
        }
        try {
            Path file = files.write(result);
            summarize(result, file);
            return new Execution(result.verdict(), result.failure(), file, null);
        } catch (ResultFileException e) {
            ResultFiles.Elsewhere written = files.writeElsewhere(result, ResultFiles.otherFolders(), e);
            summarize(result, written.file());
            session.complain(written.problem());
            return new Execution(Verdict.FAILED, written.problem(), written.file(), null);
        }
    }

    private void summarize(RunResult result, @Nullable Path file) {
        session.out().print(ConsoleSummary.render(result, file));
        session.out().flush();
    }
}
