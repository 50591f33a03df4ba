package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;
import java.util.List;

/** Tests Kafka's client, as this driver uses it, without a broker. */
class RedpandaClientTest extends ClientContractTest<RedpandaConfig> {

    @Override
    protected BenchmarkDriver<RedpandaConfig> driver() {
        return new RedpandaBenchmarkDriver();
    }

    @Override
    protected RedpandaConfig config() {
        return Configs.withAdminApi(List.of("http://127.0.0.1:1"));
    }
}
