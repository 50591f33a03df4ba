package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import io.openmessaging.benchmark.suite.Variant;
import java.time.Duration;

/** Tests the contract with producers that send in transactions. */
@Variant
class KafkaTransactionsContractIT extends KafkaDriverIT {

    @Override
    KafkaTransaction transaction() {
        return new KafkaTransaction(10, Duration.ofMillis(20));
    }
}
