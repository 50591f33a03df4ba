package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;

class StreamIT extends RabbitMqContract {

    StreamIT() {
        super(QueueType.STREAM);
    }
}
