package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.suite.Variant;

@Variant
class StreamIT extends RabbitMqContract {

    StreamIT() {
        super(QueueType.STREAM);
    }
}
