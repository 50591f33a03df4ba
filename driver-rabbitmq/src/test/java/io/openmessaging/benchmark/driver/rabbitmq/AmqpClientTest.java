package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;

/** Tests the client that connects first, even for streams; {@link LoginIT} tests the errors of the stream client. */
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
