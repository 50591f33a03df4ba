package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;
import java.util.Map;

class GrpcClientTest extends ClientContractTest<RocketMqConfig> {

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected RocketMqConfig config() {
        return TestConfigs.of(Map.of("protocol", Protocol.GRPC));
    }
}
