package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.config.ConfigException;
import io.openmessaging.benchmark.config.DriverFile;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Drivers and workers for tests, without a file or a jar that would have to be kept. */
public final class TestDrivers {

    /** How long a blocked send is waited for in tests. */
    private static final Duration SEND_GRACE = Duration.ofMillis(200);

    private TestDrivers() {}

    /** The driver of a fake system, as if it had been loaded. */
    public static LoadedDriver<FakeDriver.Config> of(FakeSystem system) {
        return new LoadedDriver<>(file(), new FakeDriver(system), FakeDriver.Config.harmless());
    }

    private static DriverFile file() {
        try {
            Path file = Files.createTempFile("driver", ".yaml");
            try {
                Files.writeString(file, "name: fake\ndriverClass: " + FakeDriver.class.getName() + "\n");
                return DriverFile.read(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException | ConfigException e) {
            throw new IllegalStateException("The driver file of the test cannot be used", e);
        }
    }

    /** A worker with that driver that does not wait long for a send that blocks. */
    public static LocalWorker worker(FakeSystem system, LongSupplier clock) {
        return new LocalWorker(of(system), clock, SEND_GRACE);
    }
}
