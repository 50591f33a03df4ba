package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.util.Map;
import java.util.Optional;

class RecoveryIT extends RecoveryContractTest<KafkaConfig> {

    @Override
    protected BenchmarkDriver<KafkaConfig> driver() {
        return new KafkaBenchmarkDriver();
    }

    @Override
    protected TestBroker<KafkaConfig> startBroker() {
        return TestBroker.start(new KafkaBenchmarkDriver(), new KafkaLocalBroker(), TestBroker.Setup.SINGLE);
    }

    @Override
    protected Map<String, KafkaConfig> configs(TestBroker<KafkaConfig> broker) {
        return Map.of(
                "acks=all", broker.reach(new KafkaConfig(1, "", "", "acks=all", "auto.offset.reset=earliest", false)));
    }

    @Override
    protected Optional<TestBroker<KafkaConfig>> startCluster() {
        return Optional.of(
                TestBroker.start(new KafkaBenchmarkDriver(), new KafkaLocalBroker(), TestBroker.Setup.ofNodes(3)));
    }

    @Override
    protected Map<String, KafkaConfig> clusterConfigs(TestBroker<KafkaConfig> cluster) {
        String twoCopies = "min.insync.replicas=2";
        return Map.of(
                "three nodes",
                cluster.reach(new KafkaConfig(3, twoCopies, "", "acks=all", "auto.offset.reset=earliest", false)));
    }
}
