package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import io.openmessaging.benchmark.suite.Variant;

/** Tests the contract with producers and consumers that share clients. */
@Variant
class SharedClientsContractIT extends KafkaDriverIT {

    @Override
    KafkaSharedClients sharedClients() {
        return new KafkaSharedClients(2, 2);
    }
}
