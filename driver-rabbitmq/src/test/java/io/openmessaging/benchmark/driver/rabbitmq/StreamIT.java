package io.openmessaging.benchmark.driver.rabbitmq;

class StreamIT extends RabbitMqContract {

    StreamIT() {
        super(QueueType.STREAM);
    }
}
