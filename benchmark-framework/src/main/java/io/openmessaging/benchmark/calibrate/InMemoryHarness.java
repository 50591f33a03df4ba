package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.calibrate.Calibrator.CalibratedLoad;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.coordinator.Run;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.DriverControl;
import io.openmessaging.benchmark.worker.DriverLoader;
import io.openmessaging.benchmark.worker.LoadedDriver;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The harness with a driver that delivers on the sending thread and costs next to nothing. Each load is a normal run.
 */
public final class InMemoryHarness implements CalibratedLoad {

    /** Size of a message, bytes. */
    public static final int MESSAGE_BYTES = 100;

    private static final Path NAME = Path.of("calibrate");
    private static final String DRIVER_CLASS = "io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver";

    private final DriverLoader drivers;
    private final LoadedDriver<?> driver;
    private final Environment environment;
    private final StopSignal stop;
    private int loads;

    private InMemoryHarness(DriverLoader drivers, LoadedDriver<?> driver, Environment environment, StopSignal stop) {
        this.drivers = drivers;
        this.driver = driver;
        this.environment = environment;
        this.stop = stop;
    }

    /**
     * Loads the driver.
     *
     * @param drivers folder of the drivers
     * @param environment environment for the runs' results, which are not kept
     * @param stop the user's wish to stop
     * @throws ConfigException if the in-memory driver is not installed
     */
    public static InMemoryHarness in(Path drivers, Environment environment, StopSignal stop) throws ConfigException {
        DriverSettings settings = new DriverSettings(NAME, DRIVER_CLASS, Mapping.of(Map.of("delivery", "DIRECT")));
        DriverLoader loader = new DriverLoader(drivers);
        return new InMemoryHarness(loader, loader.load(settings), environment, stop);
    }

    @Override
    public PeriodSnapshot load(ProducerRate rate, int topics, Duration settle, Duration observe)
            throws CalibrationException, InterruptedException {
        if (stop.requested()) {
            throw new InterruptedException("a stop was requested");
        }
        loads++;
        EpochClock clock = new EpochClock();
        RunRequest request = new RunRequest(
                "calibrate" + loads,
                workload(rate, topics, settle, observe),
                List.of(),
                new RunRequest.SystemUnderTest(
                        driver.description(),
                        new DriverControl(driver),
                        new RunResult.Driver("in-memory", DRIVER_CLASS, driver.clientVersion(), Map.of()),
                        Optional.empty(),
                        Optional::empty),
                RunRequest.Conditions.unwatched(environment),
                RunTimeouts.standard(),
                new Seed(0));
        Worker worker = new LocalWorker(drivers, clock);
        RunResult result = new Run(request, worker, stop, RunListener.silent(), clock).execute();
        if (result.verdict() == Verdict.INTERRUPTED) {
            throw new InterruptedException("a stop was requested");
        }
        PeriodSnapshot total = result.total();
        if (result.failure() != null || total == null) {
            throw new CalibrationException("the load could not be started: " + result.failure());
        }
        return total;
    }

    static WorkloadFile workload(ProducerRate rate, int topics, Duration settle, Duration observe) {
        return WorkloadFile.of(
                "calibrate",
                Map.ofEntries(
                        Map.entry("topics", String.valueOf(topics)),
                        Map.entry("partitionsPerTopic", "1"),
                        Map.entry("producersPerTopic", "1"),
                        Map.entry("subscriptionsPerTopic", "1"),
                        Map.entry("consumerPerSubscription", "1"),
                        Map.entry("messageSize", String.valueOf(MESSAGE_BYTES)),
                        Map.entry("producerRate", rate.toString()),
                        Map.entry("warmupDuration", DurationText.format(settle)),
                        Map.entry("testDuration", DurationText.format(observe)),
                        // One period, however late its end is.
                        Map.entry("samplePeriod", DurationText.format(observe.multipliedBy(2))),
                        Map.entry("resourcePeriod", "0s")));
    }
}
