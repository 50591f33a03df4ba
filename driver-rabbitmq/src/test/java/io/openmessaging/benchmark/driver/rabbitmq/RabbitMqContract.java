package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of all drivers, with one kind of queue or stream. */
abstract class RabbitMqContract extends DriverContractTest<RabbitMqConfig> {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    private final QueueType type;

    RabbitMqContract(QueueType type) {
        this.type = type;
    }

    @Override
    protected BenchmarkDriver<RabbitMqConfig> driver() {
        return new RabbitMqBenchmarkDriver();
    }

    @Override
    protected RabbitMqConfig config() {
        return RABBITMQ.config("queueType", type);
    }

    /** Queues take messages up to the broker's limit, streams up to that of a frame, which is about the same. */
    @Override
    protected FailingSend<RabbitMqConfig> failingSend() {
        return new FailingSend<>(config(), 2 * LocalRabbitMq.MAX_MESSAGE_BYTES);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return switch (type) {
            case STREAM -> new DriverCapabilities(1, true);
            case SUPER_STREAM -> DriverCapabilities.ALL;
            case CLASSIC, QUORUM -> DriverCapabilities.ALL.withoutReadingAnew();
        };
    }
}
