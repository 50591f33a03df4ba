package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.run.WorkerClocks;
import io.openmessaging.benchmark.worker.SystemControl;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Run requests of tests: by default one topic with one producer and one consumer, a minute at 1,000 msg/s. */
public final class Requests {

    /**
     * Bytes of a payload, independent of the workload's message size: a test of a backlog of 1 GiB need not allocate
     * one.
     */
    private static final int PAYLOAD_BYTES = 100;

    private static final Environment ENVIRONMENT =
            new Environment("test", "host", "os", "cpu", 2, 1024, "jdk", List.of(), 512, "virtual");

    private Requests() {}

    /** A request with these lines of YAML, which replace or add keys. */
    public static RunRequest request(String... lines) {
        return request(RunTimeouts.standard(), Optional::empty, lines);
    }

    public static RunRequest request(RunTimeouts timeouts, String... lines) {
        return request(timeouts, Optional::empty, lines);
    }

    public static RunRequest request(RunTimeouts timeouts, RunRequest.BrokerState broker, String... lines) {
        WorkloadFile workload = workload(lines);
        int bytes = Math.min(PAYLOAD_BYTES, workload.workload().messageSize());
        return new RunRequest(
                "run1",
                workload,
                List.of(Payloads.text(bytes)),
                new RunRequest.SystemUnderTest(
                        new DriverDescription("driver.yaml", "example.Fake", "{}", List.of(), Map.of()),
                        new ModelWorker(new VirtualTime()).control(),
                        new RunResult.Driver("fake", "example.Fake", "fake-client 1", Map.of()),
                        Optional.empty(),
                        broker),
                RunRequest.Conditions.unwatched(ENVIRONMENT),
                timeouts,
                new Seed(workload.workload().seedOf(1)));
    }

    /** A copy of the request for another system. */
    public static RunRequest of(RunRequest request, RunRequest.SystemUnderTest system) {
        return new RunRequest(
                request.runId(),
                request.workload(),
                request.contents(),
                system,
                request.conditions(),
                request.timeouts(),
                request.seed());
    }

    /** A copy of the request with known clocks of workers. */
    static RunRequest withClocks(RunRequest request, WorkerClocks clocks) {
        return withWorkers(request, clocks, List.of());
    }

    /** A copy of the request with known clocks of workers, and with notes about them. */
    static RunRequest withWorkers(RunRequest request, WorkerClocks clocks, List<Finding> notes) {
        return with(request, request.conditions().monitor(), clocks, notes);
    }

    /** A copy of the request with another monitor. */
    static RunRequest watchedBy(ResourceMonitor monitor, RunRequest request) {
        RunRequest.Conditions conditions = request.conditions();
        return with(request, monitor, conditions.clocks(), conditions.notes());
    }

    private static RunRequest with(
            RunRequest request, ResourceMonitor monitor, WorkerClocks clocks, List<Finding> notes) {
        RunRequest.Conditions conditions = request.conditions();
        return new RunRequest(
                request.runId(),
                request.workload(),
                request.contents(),
                request.system(),
                new RunRequest.Conditions(
                        conditions.environment(),
                        conditions.calibration(),
                        monitor,
                        conditions.resourceLimits(),
                        clocks,
                        notes),
                request.timeouts(),
                request.seed());
    }

    private static RunRequest controlledBy(RunRequest request, SystemControl control) {
        RunRequest.SystemUnderTest system = request.system();
        return of(
                request,
                new RunRequest.SystemUnderTest(
                        system.driver(),
                        control,
                        system.shown(),
                        system.localBroker(),
                        system.broker(),
                        system.faults()));
    }

    /** A copy of the request with means to inject faults. */
    static RunRequest withFaults(RunRequest request, FaultMeans means) {
        RunRequest.SystemUnderTest system = request.system();
        return of(
                request,
                new RunRequest.SystemUnderTest(
                        system.driver(),
                        system.control(),
                        system.shown(),
                        system.localBroker(),
                        system.broker(),
                        means));
    }

    /** Executes a run in virtual time. */
    public static RunResult run(
            RunRequest request, ModelWorker worker, StopSignal stop, RunListener listener, VirtualTime time) {
        return run(request, worker, UnaryOperator.identity(), stop, listener, time);
    }

    /** Executes a run in virtual time, whose worker {@code as} replaces by one that reports something else. */
    static RunResult run(
            RunRequest request,
            ModelWorker worker,
            UnaryOperator<Worker> as,
            StopSignal stop,
            RunListener listener,
            VirtualTime time) {
        return new Run(controlledBy(request, worker.control()), as.apply(worker), stop, listener, time, time).execute();
    }

    /** Executes a run whose load is sent in real time, by a single worker or a group. */
    public static RunResult run(
            RunRequest request,
            Worker worker,
            SystemControl control,
            StopSignal stop,
            RunListener listener,
            EpochClock clock) {
        return new Run(controlledBy(request, control), worker, stop, listener, clock, new WaitedTime()).execute();
    }

    private static WorkloadFile workload(String... lines) {
        Map<String, String> keys = new LinkedHashMap<>();
        add(keys, "topics: 1", "partitionsPerTopic: 1", "messageSize: 100", "subscriptionsPerTopic: 1");
        add(keys, "consumerPerSubscription: 1", "producersPerTopic: 1", "producerRate: 1000");
        add(keys, "warmupDuration: 10s", "testDuration: 60s");
        add(keys, lines);
        StringBuilder yaml = new StringBuilder();
        keys.forEach((key, value) -> yaml.append(key).append(':').append(value).append('\n'));
        try {
            Path file = Files.createTempFile("workload", ".yaml");
            try {
                Files.writeString(file, yaml);
                return WorkloadFile.read(file, Path.of(""));
            } finally {
                Files.delete(file);
            }
        } catch (IOException | ConfigException e) {
            throw new IllegalArgumentException("The workload of the test cannot be used:\n" + yaml, e);
        }
    }

    private static void add(Map<String, String> keys, String... lines) {
        for (String line : lines) {
            int colon = line.indexOf(':');
            keys.put(line.substring(0, colon), line.substring(colon + 1));
        }
    }
}
