package io.openmessaging.benchmark.driver.kafka;

/** The contract with share groups. One consumer alone also sees the order of a partition, though nobody promises it. */
class KafkaShareGroupContractIT extends KafkaDriverIT {

    @Override
    GroupType groupType() {
        return GroupType.SHARE;
    }

    @Override
    String consumerConfig() {
        return "";
    }
}
