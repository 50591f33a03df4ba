package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.suite.Variant;

/** Tests the contract with the protocol of consumer groups in which the broker assigns the partitions. */
@Variant
class KafkaConsumerProtocolIT extends KafkaDriverIT {

    @Override
    String consumerConfig() {
        return "auto.offset.reset=latest\ngroup.protocol=consumer";
    }
}
