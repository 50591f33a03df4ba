package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest;
import java.util.Map;

class RecoveryIT extends RecoveryContractTest<RedisConfig> {

    @Override
    protected BenchmarkDriver<RedisConfig> driver() {
        return new RedisBenchmarkDriver();
    }

    @Override
    protected TestBroker<RedisConfig> startBroker() {
        return TestBroker.start(
                new RedisBenchmarkDriver(),
                new RedisLocalBroker(),
                TestBroker.Setup.with(Map.of("appendonly", "yes", "appendfsync", "always")));
    }

    @Override
    protected Map<String, RedisConfig> configs(TestBroker<RedisConfig> broker) {
        return Map.of(
                "stream", broker.reach(Configs.of(Map.of("mode", RedisMode.STREAM))),
                "list", broker.reach(Configs.of(Map.of("mode", RedisMode.LIST))));
    }
}
