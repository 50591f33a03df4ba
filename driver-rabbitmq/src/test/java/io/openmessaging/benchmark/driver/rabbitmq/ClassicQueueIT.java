package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;

class ClassicQueueIT extends RabbitMqContract {

    ClassicQueueIT() {
        super(QueueType.CLASSIC);
    }
}
