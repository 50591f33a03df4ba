package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.util.Map;

class RecoveryIT extends RecoveryContractTest<RocketMqConfig> {

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected TestBroker<RocketMqConfig> startBroker() {
        return TestBroker.start(new RocketMQBenchmarkDriver(), new RocketMqLocalBroker(), TestBroker.Setup.SINGLE);
    }

    @Override
    protected Map<String, RocketMqConfig> configs(TestBroker<RocketMqConfig> broker) {
        return Map.of(
                "remoting", broker.reach(TestConfigs.config()),
                "gRPC", broker.reach(TestConfigs.of(Map.of("protocol", Protocol.GRPC))));
    }
}
