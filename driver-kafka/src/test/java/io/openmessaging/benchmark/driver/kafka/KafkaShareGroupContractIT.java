package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.suite.Variant;
import org.junit.jupiter.api.Order;

/**
 * Tests the contract with share groups. A single consumer also sees the order of a partition, although Kafka does not
 * promise it.
 */
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
