package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.Map;

/** Tests the whole contract, so far against the stand-in. */
class AcmeDriverIT extends DriverContractTest<AcmeConfig> {

    @Override
    protected BenchmarkDriver<AcmeConfig> driver() {
        return new AcmeBenchmarkDriver();
    }

    @Override
    protected AcmeConfig config() {
        return DriverConfigs.bind(AcmeConfig.class, Map.of());
    }

    @Override
    protected FailingSend<AcmeConfig> failingSend() {
        return new FailingSend<>(config(), AcmeClient.MAX_MESSAGE_BYTES + 1);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutReadingAnew();
    }

    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) {
        return skip("the driver has no existingTopics");
    }
}
