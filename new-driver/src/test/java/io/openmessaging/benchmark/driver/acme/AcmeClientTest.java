package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.Map;

/** Skips the tests of addresses until the configuration has one, such as {@code localhost:4321}. */
class AcmeClientTest extends ClientContractTest<AcmeConfig> {

    @Override
    protected BenchmarkDriver<AcmeConfig> driver() {
        return new AcmeBenchmarkDriver();
    }

    @Override
    protected AcmeConfig config() {
        return DriverConfigs.bind(AcmeConfig.class, Map.of());
    }
}
