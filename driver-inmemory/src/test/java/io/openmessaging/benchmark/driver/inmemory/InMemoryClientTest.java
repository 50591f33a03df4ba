package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;

/** Skips the tests of addresses: this driver has none. */
class InMemoryClientTest extends ClientContractTest<InMemoryConfig> {

    @Override
    protected BenchmarkDriver<InMemoryConfig> driver() {
        return new InMemoryBenchmarkDriver();
    }

    @Override
    protected InMemoryConfig config() {
        return InMemoryConfig.of(Delivery.DIRECT);
    }
}
