package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Drivers and workers for tests, without a file or a jar that would have to be kept. */
public final class TestDrivers {

    private static final DriverSettings SETTINGS =
            new DriverSettings(Path.of("driver.yaml"), FakeDriver.class.getName(), Mapping.empty());

    /** How long a blocked send is waited for in tests. */
    private static final Duration SEND_GRACE = Duration.ofMillis(200);

    private TestDrivers() {}

    /** The driver of a fake system, as if it had been loaded. */
    public static LoadedDriver<FakeDriver.Config> of(FakeSystem system) {
        return new LoadedDriver<>(SETTINGS, new FakeDriver(system), FakeDriver.Config.harmless());
    }

    /** A worker with that driver that does not wait long for a send that blocks. */
    public static LocalWorker worker(FakeSystem system, LongSupplier clock) {
        return new LocalWorker(of(system), clock, SEND_GRACE);
    }
}
