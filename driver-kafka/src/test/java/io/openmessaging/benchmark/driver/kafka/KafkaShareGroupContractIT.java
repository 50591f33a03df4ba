package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.suite.Variant;
import org.junit.jupiter.api.Order;

/** The contract with share groups. One consumer alone also sees the order of a partition, though nobody promises it. */
@Variant
@Order(1)
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
