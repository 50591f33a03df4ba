package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.coordinator.StopSignal;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.PrintWriter;

/** Runs a suite: driver by driver, each with its broker, one workload after the other, a result after each run. */
final class SuiteRunner {

    private final Suite suite;
    private final ResultFiles files;
    private final BrokerStarter starter;
    private final StopSignal stop;
    private final RunExecutor executor;
    private final PrintWriter out;
    private final PrintWriter err;
    private int number;
    private int exitCode = ExitCode.OK;

    SuiteRunner(
            Suite suite,
            ResultFiles files,
            BrokerStarter starter,
            StopSignal stop,
            RunExecutor executor,
            PrintWriter out,
            PrintWriter err) {
        this.suite = suite;
        this.files = files;
        this.starter = starter;
        this.stop = stop;
        this.executor = executor;
        this.out = out;
        this.err = err;
    }

    /** Runs everything; a run that fails does not keep the next one from being run. Returns the exit code. */
    int runAll() {
        for (ConfiguredDriver driver : suite.drivers()) {
            if (!stop.requested()) {
                runAllWith(driver);
            }
        }
        return stop.requested() ? ExitCode.INTERRUPTED : exitCode;
    }

    private void runAllWith(ConfiguredDriver driver) {
        try (BrokerLease broker = BrokerLease.take(driver, starter, stop)) {
            for (WorkloadFile workload : suite.workloads()) {
                if (!stop.requested()) {
                    run(broker, workload);
                }
            }
        } catch (LocalBrokerException | BrokerLease.NobodyListensException e) {
            err.println("benchmark: " + e.getMessage());
            exitCode = ExitCode.FAILED;
        } catch (InterruptedException e) {
            stop.request();
        }
    }

    private void run(BrokerLease broker, WorkloadFile workload) {
        number++;
        out.printf(
                "run %d of %d: %s on %s%n",
                number,
                suite.runCount(),
                workload.workload().name(),
                broker.driver().name());
        out.flush();
        if (executor.execute(broker, workload, 1, files).failed()) {
            exitCode = ExitCode.FAILED;
        }
    }
}
