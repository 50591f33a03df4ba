package io.openmessaging.benchmark.driver.rabbitmq;

class ClassicQueueIT extends RabbitMqContract {

    ClassicQueueIT() {
        super(QueueType.CLASSIC);
    }
}
