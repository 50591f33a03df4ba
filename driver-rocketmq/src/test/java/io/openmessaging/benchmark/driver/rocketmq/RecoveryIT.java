package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Order;

@Order(1)
class RecoveryIT extends RecoveryContractTest<RocketMqConfig> {

    /** The master, until another node takes its place. */
    private static final String MASTER = "rocketmq-broker-1";

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected TestBroker<RocketMqConfig> startBroker() {
        return TestBroker.start(new RocketMQBenchmarkDriver(), new RocketMqLocalBroker(), TestBroker.Setup.SINGLE);
    }

    /** With gRPC, a batch whose answer is lost stays hidden for 60 s, and a queue may stay locked for 2 minutes. */
    @Override
    protected Duration limit() {
        return Patience.LIMIT.multipliedBy(4);
    }

    @Override
    protected Map<String, RocketMqConfig> configs(TestBroker<RocketMqConfig> broker) {
        return Map.of(
                "remoting", broker.reach(TestConfigs.config()),
                "gRPC", broker.reach(TestConfigs.of(Map.of("protocol", Protocol.GRPC))));
    }

    @Override
    protected Optional<TestBroker<RocketMqConfig>> startCluster() {
        return Optional.of(TestBroker.start(
                new RocketMQBenchmarkDriver(), new RocketMqLocalBroker(), TestBroker.Setup.ofNodes(3)));
    }

    @Override
    protected Map<String, RocketMqConfig> clusterConfigs(TestBroker<RocketMqConfig> cluster) {
        Duration often = Duration.ofSeconds(1);
        return Map.of(
                "master and two slaves",
                cluster.reach(
                        TestConfigs.of(Map.of("pollNameServerInterval", often, "heartbeatBrokerInterval", often))));
    }

    /** Returns the master. */
    @Override
    protected String nodeToLose(List<String> nodes) {
        assertThat(nodes).contains(MASTER);
        return MASTER;
    }
}
