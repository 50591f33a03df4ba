package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;

class QuorumQueueIT extends RabbitMqContract {

    QuorumQueueIT() {
        super(QueueType.QUORUM);
    }
}
