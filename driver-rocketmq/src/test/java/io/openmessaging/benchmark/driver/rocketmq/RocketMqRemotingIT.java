package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract over RocketMQ's own protocol. */
class RocketMqRemotingIT extends DriverContractTest<RocketMqConfig> {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    private static final int MAX_BYTES = 1_000_000;

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected RocketMqConfig config() {
        return ROCKETMQ.reach(TestConfigs.config());
    }

    @Override
    protected FailingSend<RocketMqConfig> failingSend() {
        return new FailingSend<>(ROCKETMQ.reach(TestConfigs.of(Map.of("maxMessageSize", MAX_BYTES))), MAX_BYTES + 1);
    }
}
