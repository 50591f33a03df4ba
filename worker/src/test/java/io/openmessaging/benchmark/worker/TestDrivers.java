package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.Load.SendGrace;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import io.openmessaging.benchmark.worker.protocol.MessagePlan;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
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

    /** Returns the request to prepare the run {@code run1}, of one producer and one consumer. */
    public static Worker.Prepare prepare() {
        Topology topology = new Topology("run1", 1, 1, 1, 1, 1);
        MessagePlan messages = new MessagePlan(
                MessageHeader.Layout.FULL, PayloadSpec.text(100), KeyDistribution.NO_KEY, ArrivalProcess.CONSTANT);
        return new Worker.Prepare(
                new RunDescription(
                        DESCRIPTION,
                        topology,
                        messages,
                        ClientOptions.plain(Patience.LIMIT),
                        new Seed(77),
                        Duration.ZERO,
                        Placement.alone()),
                1,
                1);
    }
}
