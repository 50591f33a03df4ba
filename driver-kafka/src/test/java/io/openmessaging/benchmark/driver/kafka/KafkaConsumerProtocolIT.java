package io.openmessaging.benchmark.driver.kafka;

/** The contract with the protocol of consumer groups in which the broker assigns the partitions. */
class KafkaConsumerProtocolIT extends KafkaDriverIT {

    @Override
    String consumerConfig() {
        return "auto.offset.reset=latest\ngroup.protocol=consumer";
    }
}
