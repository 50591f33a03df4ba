package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;

/** Tests Pulsar's client for messages without a broker; the administration client connects only after this one. */
class PulsarClientTest extends ClientContractTest<PulsarConfig> {

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new PulsarBenchmarkDriver();
    }

    @Override
    protected PulsarConfig config() {
        return TestConfigs.of("client: {serviceUrl: 'pulsar://127.0.0.1:1'}");
    }
}
