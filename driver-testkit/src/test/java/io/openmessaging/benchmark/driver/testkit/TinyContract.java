package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract test of a {@link TinyDriver}. Run only by {@link DriverContractTestTest}, once for each defect. */
class TinyContract extends DriverContractTest<TinyDriver.Config> {

    /** The driver's defect; set before a run. */
    static volatile Defect defect = Defect.NONE;

    static final long PATIENCE_WITH_SLOW_CLOSE_MS = 100;

    private static TinyServer server;

    @BeforeAll
    static void startServer() throws IOException {
        server = new TinyServer();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @Override
    protected BenchmarkDriver<TinyDriver.Config> driver() {
        return new TinyDriver(defect);
    }

    @Override
    protected TinyDriver.Config config() {
        return new TinyDriver.Config(List.of(server.address()), defect);
    }

    @Override
    protected FailingSend<TinyDriver.Config> failingSend() {
        return new FailingSend<>(config(), TinyProducer.MAX_PAYLOAD_BYTES + 1);
    }

    @Override
    protected Duration patience() {
        return patienceWith(defect);
    }

    @Override
    Duration patienceWithClose() {
        return defect == Defect.CLOSE_IS_SLOW ? Duration.ofMillis(PATIENCE_WITH_SLOW_CLOSE_MS) : Patience.LIMIT;
    }

    @Override
    Duration dwellOfSlowListener() {
        return Duration.ofMillis(1);
    }

    /** Returns a short limit if there is a defect, since a message that it holds back never arrives. */
    static Duration patienceWith(Defect defect) {
        return defect == Defect.NONE ? Patience.LIMIT : Duration.ofMillis(200);
    }
}
