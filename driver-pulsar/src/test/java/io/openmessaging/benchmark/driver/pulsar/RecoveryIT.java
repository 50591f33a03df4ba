package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.util.Map;

class RecoveryIT extends RecoveryContractTest<PulsarConfig> {

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new PulsarBenchmarkDriver();
    }

    @Override
    protected TestBroker<PulsarConfig> startBroker() {
        return TestBroker.start(new PulsarBenchmarkDriver(), new PulsarLocalBroker(), TestBroker.Setup.SINGLE);
    }

    @Override
    protected Map<String, PulsarConfig> configs(TestBroker<PulsarConfig> broker) {
        return Map.of(
                "Failover", broker.reach(TestConfigs.of("consumer: {subscriptionType: Failover}")),
                "Shared", broker.reach(TestConfigs.of("consumer: {subscriptionType: Shared}")));
    }
}
