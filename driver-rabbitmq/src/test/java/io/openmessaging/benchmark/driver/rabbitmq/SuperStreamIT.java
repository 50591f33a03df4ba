package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;

class SuperStreamIT extends RabbitMqContract {

    SuperStreamIT() {
        super(QueueType.SUPER_STREAM);
    }
}
