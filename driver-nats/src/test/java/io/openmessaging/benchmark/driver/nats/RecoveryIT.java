package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.broker.nats.NatsLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.util.Map;
import java.util.Optional;

class RecoveryIT extends RecoveryContractTest<NatsConfig> {

    @Override
    protected BenchmarkDriver<NatsConfig> driver() {
        return new NatsBenchmarkDriver();
    }

    @Override
    protected TestBroker<NatsConfig> startBroker() {
        return TestBroker.start(driver(), new NatsLocalBroker(), TestBroker.Setup.SINGLE);
    }

    @Override
    protected Map<String, NatsConfig> configs(TestBroker<NatsConfig> broker) {
        return configs(broker, 1);
    }

    @Override
    protected Optional<TestBroker<NatsConfig>> startCluster() {
        return Optional.of(TestBroker.start(driver(), new NatsLocalBroker(), TestBroker.Setup.ofNodes(3)));
    }

    @Override
    protected Map<String, NatsConfig> clusterConfigs(TestBroker<NatsConfig> cluster) {
        return configs(cluster, 3);
    }

    private static Map<String, NatsConfig> configs(TestBroker<NatsConfig> broker, int copies) {
        return Map.of(
                "pull",
                broker.reach(Configs.of(Map.of("replicationFactor", copies))),
                "push",
                broker.reach(Configs.of(Map.of("replicationFactor", copies, "delivery", Delivery.PUSH))),
                "sent again",
                broker.reach(Configs.of(Map.of("replicationFactor", copies, "deduplicate", true))));
    }
}
