package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.guarantee.GuaranteeContractTest;
import java.util.List;
import java.util.Map;

class GuaranteeIT extends GuaranteeContractTest<KafkaConfig> {

    @Override
    protected BenchmarkDriver<KafkaConfig> driver() {
        return new KafkaBenchmarkDriver();
    }

    @Override
    protected LocalBroker localBroker() {
        return new KafkaLocalBroker();
    }

    @Override
    protected List<Case<KafkaConfig>> cases() {
        return List.of(
                new Case<>(TestBroker.Setup.SINGLE, config(""), 1, Storage.WRITTEN),
                new Case<>(TestBroker.Setup.SINGLE, config("flush.messages=1"), 1, Storage.SYNCED),
                new Case<>(
                        TestBroker.Setup.with(Map.of("log.flush.interval.messages", "1")),
                        config(""),
                        1,
                        Storage.SYNCED));
    }

    private static KafkaConfig config(String topic) {
        return new KafkaConfig(1, topic, "", "acks=all", "auto.offset.reset=earliest", false);
    }
}
