package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;

/** What concerns addresses is skipped: there are none. */
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
