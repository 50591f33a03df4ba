package io.openmessaging.benchmark.harness.workers;

import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.cli.Main;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.coordinator.Run;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.fleet.Fleet;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.WorkerResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.DriverControl;
import io.openmessaging.benchmark.worker.DriverLoader;
import io.openmessaging.benchmark.worker.LoadedDriver;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import io.openmessaging.benchmark.worker.transport.Build;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Does what {@code bin/benchmark --workers} does, but with the in-memory driver. {@code bin/benchmark} refuses that
 * driver, since other processes cannot reach a system inside a process. The workers of {@link ManyWorkers} do not need
 * to.
 */
final class Coordinator implements RunListener {

    private static final Path NAME = Path.of("bench-workers");
    private static final String DRIVER_CLASS = "io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver";

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NS_PER_US = 1e3;

    private @Nullable RunPhase phase;
    private @Nullable HarnessUsage atBegin;
    private @Nullable HarnessUsage measured;
    private long mostHeapBytes;

    private Coordinator() {}

    /**
     * Runs a workload and prints {@code cores N} during the measurement, {@code heap-mib N} at most, {@code lost N}
     * messages, {@code PHASE-seconds N}, and {@code clock-median-us N}, {@code clock-worst-us N}, {@code
     * round-trip-min-us N} and {@code round-trip-median-us N} for each worker.
     *
     * @param args the workload's file, then the addresses of the workers
     */
    public static void main(String[] args) throws Exception {
        Main.poolFutures();
        Installation installation = Installation.fromSystemProperties();
        FleetRequest asked = new FleetRequest(
                Arrays.stream(args)
                        .skip(1)
                        .map(worker -> Address.parse(worker, WorkersFile.WORKER))
                        .toList(),
                0,
                null,
                false,
                Roles.MIXED,
                false,
                FleetRequest.Waits.with(WorkerTimeouts.defaults()));
        Build build = Installation.build();
        try (Fleet fleet = Fleet.open(asked, new Fleet.Installed(installation.home(), build), System.err::println)) {
            Coordinator coordinator = new Coordinator();
            coordinator.print(
                    coordinator.run(fleet, installation, WorkloadFile.read(Path.of(args[0]), installation.home())));
        }
    }

    private RunResult run(Fleet fleet, Installation installation, WorkloadFile workload) throws Exception {
        LoadedDriver<?> driver = new DriverLoader(installation.drivers())
                .load(new DriverSettings(NAME, DRIVER_CLASS, Mapping.of(Map.of("delivery", "DIRECT"))));
        RunRequest request = new RunRequest(
                "bench" + System.currentTimeMillis(),
                workload,
                List.of(),
                new RunRequest.SystemUnderTest(
                        driver.description(),
                        new DriverControl(driver),
                        new RunResult.Driver("in-memory", DRIVER_CLASS, driver.clientVersion(), Map.of()),
                        Optional.empty(),
                        Optional::empty),
                new RunRequest.Conditions(
                        Environment.here(Installation.version(), fleet.clock().description()),
                        Optional.empty(),
                        ResourceMonitor.NONE,
                        ResourceLimits.NONE,
                        fleet::clockReports,
                        List.of()),
                RunTimeouts.standard(),
                new Seed(0));
        RunListener listener = RunListener.both(this, fleet.listener(this));
        return new Run(request, fleet.worker(System.out::println), new StopSignal(), listener, fleet.clock()).execute();
    }

    /** Reads this process's usage at the start and at the end of the measurement. */
    @Override
    public void state(RunState now) {
        mostHeapBytes = Math.max(
                mostHeapBytes,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        if (now.phase() == phase) {
            return;
        }
        HarnessUsage used = HarnessUsage.now();
        if (phase == RunPhase.MEASURE && atBegin != null) {
            measured = used.since(atBegin);
        }
        phase = now.phase();
        atBegin = used;
    }

    private void print(RunResult result) {
        if (result.failure() != null || measured == null || result.audit() == null) {
            throw new IllegalStateException("the run has no result: " + result.failure());
        }
        System.out.println("verdict " + result.verdict() + " " + result.findings());
        System.out.println("cores " + measured.cores());
        System.out.println("heap-mib " + mostHeapBytes / BYTES_PER_MIB);
        System.out.println("lost "
                + result.audit().subscriptions().stream()
                        .mapToLong(subscription -> subscription.lost() + subscription.undelivered())
                        .sum());
        result.phases().forEach(ended -> System.out.println(ended.name() + "-seconds " + ended.seconds()));
        result.workers().stream().map(WorkerResult::clock).forEach(Coordinator::print);
    }

    private static void print(@Nullable ClockReport clock) {
        if (clock == null || clock.offsets() == null) {
            throw new IllegalStateException("the clock offset of a worker is unknown");
        }
        System.out.println("clock-median-us " + clock.offsets().medianBoundNs() / NS_PER_US);
        System.out.println("clock-worst-us " + clock.offsets().largestBoundNs() / NS_PER_US);
        System.out.println("round-trip-min-us " + clock.probes().minRoundTripNs() / NS_PER_US);
        System.out.println("round-trip-median-us " + clock.probes().medianRoundTripNs() / NS_PER_US);
    }
}
