package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.broker.artemis.ArtemisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.time.Duration;
import java.util.Map;

class RecoveryIT extends RecoveryContractTest<ArtemisConfig> {

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Override
    protected TestBroker<ArtemisConfig> startBroker() {
        return TestBroker.start(
                new ArtemisBenchmarkDriver(), new ArtemisLocalBroker(), new TestBroker.Setup(1, "256m", Map.of()));
    }

    @Override
    protected Map<String, ArtemisConfig> configs(TestBroker<ArtemisConfig> broker) {
        return Map.of("durable", broker.reach(TestConfigs.with(Map.of())));
    }

    /** So long the client waits for an answer to a request that the broker got, and forgot, while it was starting. */
    @Override
    protected Duration callLimit() {
        return Duration.ofSeconds(10);
    }
}
