package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;

/** Tests Kafka's client without a broker. */
class KafkaClientTest extends ClientContractTest<KafkaConfig> {

    @Override
    protected BenchmarkDriver<KafkaConfig> driver() {
        return new KafkaBenchmarkDriver();
    }

    @Override
    protected KafkaConfig config() {
        return TestConfigs.unreachable();
    }
}
