package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.config.SizeShare;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Finding;
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
 * The description of a run.
 *
 * @param runId unique; letters and digits
 * @param workload the load
 * @param contents contents of the messages, in order; empty if the workload describes how to make them
 * @param system the system to measure
 * @param conditions the environment of the harness
 * @param timeouts limits of the run's waits
 * @param seed seed of the run's random choices
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
     * @param driver how workers reach the system
     * @param control creates topics; closed by the run
     * @param shown the driver, for the result
     * @param localBroker settings of the broker started for this run; empty if none was started here
     * @param broker state of the broker started for this run
     * @param faults injects faults into the system
     */
    public record SystemUnderTest(
            DriverDescription driver,
            SystemControl control,
            RunResult.Driver shown,
            Optional<Map<String, String>> localBroker,
            BrokerState broker,
            FaultMeans faults) {

        /** A system to which nothing can be done. */
        public SystemUnderTest(
                DriverDescription driver,
                SystemControl control,
                RunResult.Driver shown,
                Optional<Map<String, String>> localBroker,
                BrokerState broker) {
            this(driver, control, shown, localBroker, broker, FaultMeans.NONE);
        }
    }

    /** The state of a broker that was started for a run. */
    @FunctionalInterface
    public interface BrokerState {

        /** The reason that the broker cannot continue; empty while it can, and without such a broker. */
        Optional<String> failure();

        /** The reasons that nodes have ended while others continue. */
        default List<String> endedNodes() {
            return List.of();
        }
    }

    /**
     * The environment of the harness.
     *
     * @param environment environment, for the result
     * @param calibration ceilings of the harness there; empty if unknown, and if remote workers do the work, which
     *     report their own
     * @param monitor watches what the run costs; closed by its creator
     * @param resourceLimits limits on what broker and clients may use; enforced by the creator of the request
     * @param clocks clocks of the workers
     * @param notes what is known about the harness before the run and readers of its result need to know
     */
    public record Conditions(
            Environment environment,
            Optional<Calibration> calibration,
            ResourceMonitor monitor,
            ResourceLimits resourceLimits,
            WorkerClocks clocks,
            List<Finding> notes) {

        /** Conditions of a harness with unknown ceilings, where nothing watches what a run costs. */
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

    /** The description of the run for the workers. */
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
                new Topology.TopicKind(
                        system.control().existingTopics(), system.control().tellsPartitions()));
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
