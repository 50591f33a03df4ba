package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;

class QueuedContractTest extends DriverContractTest<InMemoryConfig> {

    @Override
    protected BenchmarkDriver<InMemoryConfig> driver() {
        return new InMemoryBenchmarkDriver();
    }

    @Override
    protected InMemoryConfig config() {
        return InMemoryConfig.of(Delivery.QUEUED);
    }

    @Override
    protected FailingSend<InMemoryConfig> failingSend() {
        return new FailingSend<>(FaultsOf.none().failEvery(1).in(config()), 100);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutReadingAnew();
    }

    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) {
        return skip("a broker inside the process has no topics of others");
    }
}
