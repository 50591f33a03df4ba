package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.omb.OmbFixture.Generation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of drivers, kept by one that was built against the newest API of OMB. */
class OmbDriverContractTest extends DriverContractTest<OmbConfig> {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static OmbDriver driver;

    @BeforeAll
    static void theDriverIsInstalled() throws IOException, DriverException {
        driver = InstalledFixture.in(folder, Generation.WITH_LISTS).driver();
    }

    @Override
    protected BenchmarkDriver<OmbConfig> driver() {
        return driver;
    }

    @Override
    protected OmbConfig config() {
        return InstalledFixture.config(Map.of());
    }

    @Override
    protected FailingSend<OmbConfig> failingSend() {
        return new FailingSend<>(InstalledFixture.config(Map.of("failIn", "sendAsync")), 100);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.BRIDGED;
    }

    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) {
        return skip("a driver of OMB uses topics of the run's own");
    }
}
