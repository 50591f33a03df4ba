package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;

/** A real Kafka. */
final class LocalKafka extends TestBrokerExtension<KafkaConfig> {

    LocalKafka() {
        super(new KafkaBenchmarkDriver(), new KafkaLocalBroker(), Setup.SINGLE);
    }
}
