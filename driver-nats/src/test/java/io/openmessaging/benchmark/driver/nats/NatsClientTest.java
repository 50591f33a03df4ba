package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;
import java.util.Map;

class NatsClientTest extends ClientContractTest<NatsConfig> {

    @Override
    protected BenchmarkDriver<NatsConfig> driver() {
        return new NatsBenchmarkDriver();
    }

    @Override
    protected NatsConfig config() {
        return Configs.of(Map.of());
    }
}
