package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Order;

@Order(1)
class RecoveryIT extends RecoveryContractTest<KafkaConfig> {

    private static final String EARLIEST = "auto.offset.reset=earliest";
    private static final KafkaTransaction TRANSACTION = new KafkaTransaction(10, Duration.ofMillis(50));

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
        KafkaConfig own = new KafkaConfig(1, "", "", "acks=all", EARLIEST, false);
        return Map.of(
                "acks=all",
                broker.reach(own),
                "acks=all, shared clients",
                broker.reach(ConfigRecords.with(own, Map.of("sharedClients", new KafkaSharedClients(1, 1)))),
                "transactions",
                broker.reach(ConfigRecords.with(own, Map.of("transaction", TRANSACTION))),
                "share group",
                broker.reach(ConfigRecords.with(own, Map.of("consumerConfig", "", "groupType", GroupType.SHARE))));
    }

    @Override
    protected Optional<TestBroker<KafkaConfig>> startCluster() {
        return Optional.of(
                TestBroker.start(new KafkaBenchmarkDriver(), new KafkaLocalBroker(), TestBroker.Setup.ofNodes(3)));
    }

    @Override
    protected Map<String, KafkaConfig> clusterConfigs(TestBroker<KafkaConfig> cluster) {
        String twoCopies = "min.insync.replicas=2";
        KafkaConfig own = new KafkaConfig(3, twoCopies, "", "acks=all", EARLIEST, false);
        return Map.of(
                "three nodes",
                cluster.reach(own),
                "three nodes, transactions",
                cluster.reach(ConfigRecords.with(own, Map.of("transaction", TRANSACTION))),
                "three nodes, share group",
                cluster.reach(ConfigRecords.with(own, Map.of("consumerConfig", "", "groupType", GroupType.SHARE))));
    }
}
