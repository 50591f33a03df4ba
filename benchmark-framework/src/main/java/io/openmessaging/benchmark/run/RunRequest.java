package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.config.SizeShare;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.SystemControl;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import io.openmessaging.benchmark.worker.protocol.MessagePlan;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to run.
 *
 * @param runId unique, of letters and digits
 * @param workload the load
 * @param contents of the messages, in their order; none if the workload says how they are made
 * @param system against what
 * @param conditions where
 * @param limits how long to wait for what
 * @param seed of the run's random choices
 */
public record RunRequest(
        String runId,
        WorkloadFile workload,
        List<byte[]> contents,
        SystemUnderTest system,
        Conditions conditions,
        RunTimeouts timeouts,
        Seed seed) {

    /**
     * The system that is measured.
     *
     * @param driver how workers reach it
     * @param control how topics are created; closed by the run
     * @param shown the driver, for the result
     * @param localBroker the settings of the broker started for this run; empty if it was not started here
     * @param broker what became of the one that was started for this run
     * @param faults how something is done to it
     */
    public record SystemUnderTest(
            DriverDescription driver,
            SystemControl control,
            RunResult.Driver shown,
            Optional<Map<String, String>> localBroker,
            BrokerState broker,
            FaultMeans faults) {

        /** One to which nothing can be done. */
        public SystemUnderTest(
                DriverDescription driver,
                SystemControl control,
                RunResult.Driver shown,
                Optional<Map<String, String>> localBroker,
                BrokerState broker) {
            this(driver, control, shown, localBroker, broker, FaultMeans.NONE);
        }
    }

    /** What became of a broker that was started for a run. */
    @FunctionalInterface
    public interface BrokerState {

        /** What happened, once it cannot continue; empty without such a broker. */
        Optional<String> failure();

        /** What happened to those of its nodes that have ended while others continue. */
        default List<String> endedNodes() {
            return List.of();
        }
    }

    /**
     * Where the harness runs.
     *
     * @param environment for the result
     * @param calibration what the harness is capable of there; empty if that is not known, and where workers elsewhere do its
     *     work, which tell of themselves
     * @param monitor watches what the run costs; closed by who made it
     * @param resourceLimits on what broker and clients may use; kept by who made the request
     * @param clocks of the workers
     * @param openWorkers the workers on other machines that are talked to without a key, by name
     */
    public record Conditions(
            Environment environment,
            Optional<Calibration> calibration,
            ResourceMonitor monitor,
            ResourceLimits resourceLimits,
            WorkerClocks clocks,
            List<String> openWorkers) {

        /** One of which it is not known what the harness is capable of, and on which nobody looks at what a run costs. */
        public static Conditions unwatched(Environment environment) {
            return new Conditions(
                    environment,
                    Optional.empty(),
                    ResourceMonitor.NONE,
                    ResourceLimits.NONE,
                    WorkerClocks.NONE,
                    List.of());
        }
    }

    /** What the workers are told. */
    public RunDescription description() {
        Workload load = workload.workload();
        return new RunDescription(
                system.driver(),
                topology(load),
                new MessagePlan(
                        load.headerLayout(), payloads(), load.keyDistributor(), load.arrivals(), load.headers()),
                clientOptions(load),
                seed,
                load.resourcePeriod(),
                Placement.alone());
    }

    private Topology topology(Workload load) {
        return new Topology(
                runId,
                load.topics(),
                load.partitionsPerTopic(),
                load.producersPerTopic(),
                load.hasConsumers() ? load.subscriptionsPerTopic() : 0,
                load.consumerPerSubscription(),
                system.control().existingTopics());
    }

    private PayloadSpec payloads() {
        Workload load = workload.workload();
        List<SizeShare> sizes = contents.isEmpty() ? load.sizes() : List.of();
        List<PayloadSpec.SizeClass> kinds = sizes.stream()
                .map(share -> new PayloadSpec.SizeClass(share.size(), share.weight()))
                .toList();
        return new PayloadSpec(
                contents,
                kinds,
                load.useRandomizedPayloads() ? load.randomizedPayloadPoolSize() : 0,
                load.randomBytesRatio(),
                load.reservedBytes(),
                load.verifyPayloads());
    }

    private ClientOptions clientOptions(Workload load) {
        Integer inFlightLimit = load.inFlightLimit();
        Duration delay = load.consumerDelay();
        return new ClientOptions(
                timeouts.controlCall(),
                inFlightLimit == null ? OptionalInt.empty() : OptionalInt.of(inFlightLimit),
                delay == null ? Duration.ZERO : delay,
                load.messageCount() != null,
                load.verifyPayloads(),
                !load.faultsInOrder().isEmpty());
    }
}
