package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.suite.Variant;

/** Tests consumers that acknowledge messages and may hold few of them: the consumer's other code path. */
@Variant
class AcknowledgedQueueIT extends RabbitMqContract {

    AcknowledgedQueueIT() {
        super(QueueType.CLASSIC);
    }

    @Override
    protected RabbitMqConfig config() {
        return RABBITMQ.config(
                "queueType", QueueType.CLASSIC, "autoAck", false, "prefetchCount", 1, "messagePersistence", true);
    }
}
