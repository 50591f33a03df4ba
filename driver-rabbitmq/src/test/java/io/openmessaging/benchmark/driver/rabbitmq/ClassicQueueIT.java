package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.suite.Variant;

@Variant
class ClassicQueueIT extends RabbitMqContract {

    ClassicQueueIT() {
        super(QueueType.CLASSIC);
    }
}
