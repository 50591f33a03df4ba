package io.openmessaging.benchmark.driver.rabbitmq;

class QuorumQueueIT extends RabbitMqContract {

    QuorumQueueIT() {
        super(QueueType.QUORUM);
    }
}
