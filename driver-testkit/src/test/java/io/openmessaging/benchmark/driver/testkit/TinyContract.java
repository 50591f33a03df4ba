package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract test of a {@link TinyDriver}. Run by {@link DriverContractTestTest} only, once for each defect. */
class TinyContract extends DriverContractTest<TinyDriver.Config> {

    /** What is wrong; set before a run. */
    static volatile Defect defect = Defect.NONE;

    /** A close that takes longer is one that is slow, in a test that would otherwise wait for that. */
    static final Duration SHORT_CLOSE = Duration.ofMillis(100);

    private static TinyServer server;

    private static final class HiddenDriver extends TinyDriver {}

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
        return defect == Defect.CLASS_IS_HIDDEN ? new HiddenDriver() : new TinyDriver(defect);
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
    protected Duration timeout() {
        return defect == Defect.NONE ? Duration.ofSeconds(10) : Duration.ofSeconds(1);
    }

    @Override
    Duration promptly() {
        return defect.name().startsWith("CLOSE_") ? SHORT_CLOSE : super.promptly();
    }
}
