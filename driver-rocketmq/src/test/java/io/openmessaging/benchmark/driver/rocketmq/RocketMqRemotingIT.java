package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract over RocketMQ's own protocol. */
class RocketMqRemotingIT extends DriverContractTest<RocketMqConfig> {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    private static final int MAX_BYTES = 1_000_000;

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    /** Returns the keys under test. */
    Map<String, ?> keys() {
        return Map.of();
    }

    @Override
    protected RocketMqConfig config() {
        return ROCKETMQ.reach(TestConfigs.patient(keys()));
    }

    @Override
    protected FailingSend<RocketMqConfig> failingSend() {
        Map<String, Object> keys = new HashMap<>(keys());
        keys.put("maxMessageSize", MAX_BYTES);
        return new FailingSend<>(ROCKETMQ.reach(TestConfigs.patient(keys)), MAX_BYTES + 1);
    }
}
