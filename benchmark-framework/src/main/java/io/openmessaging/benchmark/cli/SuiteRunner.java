package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.SizeShare;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.coordinator.Limits;
import io.openmessaging.benchmark.coordinator.Run;
import io.openmessaging.benchmark.coordinator.RunRequest;
import io.openmessaging.benchmark.coordinator.StopSignal;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.CalibrationFile;
import io.openmessaging.benchmark.result.ConsoleSummary;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.ResultFileException;
import io.openmessaging.benchmark.result.ResultFiles;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.worker.LoadedDriver;
import io.openmessaging.benchmark.worker.LocalWorker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/** Runs a suite: driver by driver, each with its broker, one workload after the other, a result after each run. */
final class SuiteRunner {

    private static final int RUN_ID_LENGTH = 8;
    private static final int RUN_ID_RADIX = 36;
    private static final Path CALIBRATION = Path.of("results", CalibrationFile.NAME);

    private final Suite suite;
    private final ResultFiles files;
    private final BrokerStarter starter;
    private final StopSignal stop;
    private final PrintWriter out;
    private final PrintWriter err;
    private Optional<Calibration> calibration = Optional.empty();
    private int number;
    private int exitCode = ExitCode.OK;

    SuiteRunner(
            Suite suite, ResultFiles files, BrokerStarter starter, StopSignal stop, PrintWriter out, PrintWriter err) {
        this.suite = suite;
        this.files = files;
        this.starter = starter;
        this.stop = stop;
        this.out = out;
        this.err = err;
    }

    /** Runs everything; a run that fails does not keep the next one from being run. Returns the exit code. */
    int runAll() {
        calibration = CalibrationFile.readFor(
                Environment.here(Installation.version(), ""),
                CALIBRATION,
                reason -> err.println("benchmark: " + reason));
        for (LoadedDriver<?> driver : suite.drivers()) {
            if (!stop.requested()) {
                runAllWith(driver);
            }
        }
        return stop.requested() ? ExitCode.INTERRUPTED : exitCode;
    }

    private void runAllWith(LoadedDriver<?> driver) {
        try (Broker broker = new Broker(start(driver))) {
            if (broker.running.isEmpty() && BrokerStarter.nobodyListens(driver)) {
                err.printf(
                        "benchmark: %s: nothing listens on %s%n",
                        driver.file().path(), String.join(", ", driver.addresses()));
                exitCode = ExitCode.FAILED;
                return;
            }
            LoadedDriver<?> pointed = broker.running
                    .<LoadedDriver<?>>map(running -> driver.withAddresses(running.addresses(), running.endpoints()))
                    .orElse(driver);
            for (WorkloadFile workload : suite.workloads()) {
                if (!stop.requested()) {
                    run(pointed, workload, broker.running);
                }
            }
        } catch (LocalBrokerException e) {
            err.println("benchmark: " + e.getMessage());
            exitCode = ExitCode.FAILED;
        } catch (InterruptedException e) {
            stop.request();
        }
    }

    private Optional<RunningBroker> start(LoadedDriver<?> driver) throws LocalBrokerException, InterruptedException {
        stop.interruptFrom();
        try {
            return starter.startFor(driver, newRunId());
        } finally {
            stop.noInterrupts();
        }
    }

    /** Stops a broker that was started, if one was. */
    private record Broker(Optional<RunningBroker> running) implements AutoCloseable {
        @Override
        public void close() {
            running.ifPresent(RunningBroker::close);
        }
    }

    private static String newRunId() {
        SecureRandom random = new SecureRandom();
        StringBuilder id = new StringBuilder();
        while (id.length() < RUN_ID_LENGTH) {
            id.append(Character.forDigit(random.nextInt(RUN_ID_RADIX), RUN_ID_RADIX));
        }
        return id.toString();
    }

    private void run(LoadedDriver<?> driver, WorkloadFile workload, Optional<RunningBroker> broker) {
        number++;
        out.printf(
                "run %d of %d: %s on %s%n",
                number, suite.runCount(), workload.workload().name(), Suite.name(driver));
        out.flush();
        List<byte[]> payloads;
        try {
            payloads = payloads(workload);
        } catch (IOException e) {
            err.println("benchmark: the payload of " + workload.path() + " cannot be read: " + e.getMessage());
            exitCode = ExitCode.FAILED;
            return;
        }
        EpochClock clock = new EpochClock();
        ProgressConsole console = new ProgressConsole(out, ProgressConsole.onTerminal());
        try (ResourceMonitor monitor =
                Watch.over(driver, broker, workload.workload().resourcePeriod())) {
            RunRequest request = new RunRequest(
                    newRunId(),
                    workload,
                    payloads,
                    new RunResult.Driver(
                            Suite.name(driver),
                            driver.file().driverClass(),
                            driver.clientVersion(),
                            driver.file().settings()),
                    broker.map(RunningBroker::settings),
                    () -> broker.flatMap(RunningBroker::failure),
                    Environment.here(Installation.version(), clock.description()),
                    Limits.standard(),
                    calibration,
                    monitor);
            RunResult result = new Run(request, new LocalWorker(driver, clock), stop, console, clock).execute();
            console.clear();
            report(result);
        }
    }

    private static List<byte[]> payloads(WorkloadFile file) throws IOException {
        Workload workload = file.workload();
        Optional<Path> payload = file.payload();
        if (payload.isPresent()) {
            return List.of(Files.readAllBytes(payload.get()));
        }
        List<SizeShare> sizes = workload.messageSizeDistribution();
        if (sizes == null) {
            return payloads(workload, workload.messageSize());
        }
        return Payloads.mixed(
                sizes.stream().map(share -> payloads(workload, share.size())).toList(),
                sizes.stream().map(SizeShare::weight).toList());
    }

    private static List<byte[]> payloads(Workload workload, int sizeBytes) {
        return workload.useRandomizedPayloads()
                ? Payloads.random(workload.randomizedPayloadPoolSize(), sizeBytes, workload.randomBytesRatio())
                : List.of(Payloads.text(sizeBytes));
    }

    private void report(RunResult result) {
        if (result.verdict() == Verdict.FAILED || result.verdict() == Verdict.INVALID) {
            exitCode = ExitCode.FAILED;
        }
        boolean nothingMeasured = result.measured().isEmpty() && result.warmup().isEmpty();
        if (nothingMeasured && result.failure() != null) {
            err.println("benchmark: " + result.failure());
            err.flush();
            return;
        }
        if (nothingMeasured && result.verdict() == Verdict.INTERRUPTED) {
            out.println("interrupted before anything was measured");
            return;
        }
        try {
            Path file = files.write(result);
            out.print(ConsoleSummary.render(result, file));
            out.flush();
        } catch (ResultFileException e) {
            err.println("benchmark: " + e.getMessage());
            exitCode = ExitCode.FAILED;
        }
    }
}
