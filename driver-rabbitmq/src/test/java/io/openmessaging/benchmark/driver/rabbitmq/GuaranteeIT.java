package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.guarantee.GuaranteeContractTest;
import java.util.List;

class GuaranteeIT extends GuaranteeContractTest<RabbitMqConfig> {

    @Override
    protected BenchmarkDriver<RabbitMqConfig> driver() {
        return new RabbitMqBenchmarkDriver();
    }

    @Override
    protected LocalBroker localBroker() {
        return new RabbitMqLocalBroker();
    }

    @Override
    protected List<Case<RabbitMqConfig>> cases() {
        return List.of(
                one(QueueType.CLASSIC, false, Storage.MEMORY),
                one(QueueType.CLASSIC, true, Storage.WRITTEN),
                one(QueueType.QUORUM, true, Storage.SYNCED),
                one(QueueType.STREAM, true, Storage.WRITTEN),
                one(QueueType.SUPER_STREAM, true, Storage.WRITTEN));
    }

    private static Case<RabbitMqConfig> one(QueueType type, boolean persistent, Storage storage) {
        return new Case<>(
                TestBroker.Setup.SINGLE,
                TestConfigs.of("queueType", type, "messagePersistence", persistent, "autoAck", false),
                1,
                storage);
    }
}
