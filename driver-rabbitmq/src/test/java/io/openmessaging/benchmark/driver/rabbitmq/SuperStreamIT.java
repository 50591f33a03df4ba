package io.openmessaging.benchmark.driver.rabbitmq;

class SuperStreamIT extends RabbitMqContract {

    SuperStreamIT() {
        super(QueueType.SUPER_STREAM);
    }
}
