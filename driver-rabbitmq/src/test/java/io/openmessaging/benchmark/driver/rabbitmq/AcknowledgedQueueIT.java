package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.suite.Variant;

/** Consumers that acknowledge what they get, and may hold little of it: the other way through the consumer. */
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
