package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What to run.
 *
 * @param runId unique, of letters and digits
 * @param workload the load
 * @param payloads the contents of messages, each sent equally often; with {@code verifyPayloads} the run writes checksums
 *     into them
 * @param driver for the result
 * @param localBroker the settings of the broker started for this run; empty if it was not started here
 * @param brokerFailure says what happened once a broker started for this run has died
 * @param environment for the result
 * @param limits how long to wait for what
 * @param calibration what the harness is capable of on this machine; empty if that is not known
 * @param monitor watches what the run costs; closed by who made it
 * @param resourceLimits on what broker and clients may use; kept by who made the request
 * @param seed of the run's random choices
 */
public record RunRequest(
        String runId,
        WorkloadFile workload,
        List<byte[]> payloads,
        RunResult.Driver driver,
        Optional<Map<String, String>> localBroker,
        Supplier<Optional<String>> brokerFailure,
        Environment environment,
        Limits limits,
        Optional<Calibration> calibration,
        ResourceMonitor monitor,
        ResourceLimits resourceLimits,
        Seed seed) {

    /** A first run of which it is not known how near it comes to the limits of the harness, and what it costs. */
    public RunRequest(
            String runId,
            WorkloadFile workload,
            List<byte[]> payloads,
            RunResult.Driver driver,
            Optional<Map<String, String>> localBroker,
            Supplier<Optional<String>> brokerFailure,
            Environment environment,
            Limits limits) {
        this(
                runId,
                workload,
                payloads,
                driver,
                localBroker,
                brokerFailure,
                environment,
                limits,
                Optional.empty(),
                ResourceMonitor.NONE,
                ResourceLimits.NONE,
                new Seed(workload.workload().seedOf(1)));
    }
}
