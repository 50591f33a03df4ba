package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

class RecoveryIT extends RecoveryContractTest<RabbitMqConfig> {

    private static final String SINGLE_ACTIVE = "SUPER_STREAM, numbered messages, single active consumer";

    @Override
    protected BenchmarkDriver<RabbitMqConfig> driver() {
        return new RabbitMqBenchmarkDriver();
    }

    @Override
    protected TestBroker<RabbitMqConfig> startBroker() {
        return TestBroker.start(new RabbitMqBenchmarkDriver(), new RabbitMqLocalBroker(), TestBroker.Setup.SINGLE);
    }

    @Override
    protected Map<String, RabbitMqConfig> configs(TestBroker<RabbitMqConfig> broker) {
        Map<String, RabbitMqConfig> configs = new LinkedHashMap<>();
        for (QueueType type : QueueType.values()) {
            configs.put(
                    type.toString(),
                    broker.reach(TestConfigs.of("queueType", type, "messagePersistence", true, "autoAck", false)));
        }
        configs.put(
                SINGLE_ACTIVE,
                broker.reach(TestConfigs.of(
                        "queueType",
                        QueueType.SUPER_STREAM,
                        "streamDeduplication",
                        true,
                        "streamSingleActiveConsumer",
                        true)));
        return configs;
    }

    @Override
    protected Optional<TestBroker<RabbitMqConfig>> startCluster() {
        return Optional.of(TestBroker.start(
                new RabbitMqBenchmarkDriver(), new RabbitMqLocalBroker(), TestBroker.Setup.ofNodes(3)));
    }

    /**
     * Leaves out classic queues, which are on one node, and single active consumers: RabbitMQ 4.0.5 may leave a group
     * of them without an active one when a node goes down (rabbitmq-server#13671).
     */
    @Override
    protected Map<String, RabbitMqConfig> clusterConfigs(TestBroker<RabbitMqConfig> cluster) {
        Map<String, RabbitMqConfig> configs = configs(cluster);
        configs.remove(QueueType.CLASSIC.toString());
        configs.remove(SINGLE_ACTIVE);
        configs.put(
                "SUPER_STREAM, numbered messages",
                cluster.reach(TestConfigs.of("queueType", QueueType.SUPER_STREAM, "streamDeduplication", true)));
        configs.put(
                "QUORUM, clients at the leader",
                cluster.reach(
                        TestConfigs.of("queueType", QueueType.QUORUM, "autoAck", false, "clientsAtLeader", true)));
        return configs;
    }
}
