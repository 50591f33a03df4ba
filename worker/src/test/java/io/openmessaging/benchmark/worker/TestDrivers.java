package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.Load.SendGrace;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Drivers and workers for tests, which need no file or jar. */
public final class TestDrivers {

    /** Description of the driver in a run. */
    public static final DriverDescription DESCRIPTION =
            new DriverDescription("driver.yaml", FakeDriver.class.getName(), "{}", List.of(), Map.of());

    /** A send that blocks is interrupted soon; on a busy machine, it may take a while to notice. */
    private static final SendGrace SEND_GRACE = new SendGrace(Duration.ofMillis(200), Patience.LIMIT, text -> {});

    private TestDrivers() {}

    /** Returns the driver of a fake system, as if it had been loaded. */
    public static LoadedDriver<FakeDriver.Config> of(FakeSystem system) {
        return new LoadedDriver<>(DESCRIPTION, new FakeDriver(system), FakeDriver.Config.harmless());
    }

    /** Returns drivers that give this driver for every description. */
    public static Drivers drivers(FakeSystem system) {
        return description -> of(system);
    }

    /** Returns the coordinator's connection to the system. */
    public static SystemControl control(FakeSystem system) {
        return new DriverControl(of(system));
    }

    /** Returns a worker with that driver; it does not wait long for a send that blocks. */
    public static LocalWorker worker(FakeSystem system, LongSupplier clock) {
        return new LocalWorker(drivers(system), clock, SEND_GRACE);
    }
}
