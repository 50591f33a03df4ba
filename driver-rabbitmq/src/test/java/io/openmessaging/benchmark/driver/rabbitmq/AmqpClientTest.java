package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;

/** The client that connects first, for streams too: what the stream client says is in {@link LoginIT}. */
class AmqpClientTest extends ClientContractTest<RabbitMqConfig> {

    @Override
    protected BenchmarkDriver<RabbitMqConfig> driver() {
        return new RabbitMqBenchmarkDriver();
    }

    @Override
    protected RabbitMqConfig config() {
        return TestConfigs.of();
    }
}
