package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;
import java.util.Map;

class RedisClientTest extends ClientContractTest<RedisConfig> {

    @Override
    protected BenchmarkDriver<RedisConfig> driver() {
        return new RedisBenchmarkDriver();
    }

    @Override
    protected RedisConfig config() {
        return Configs.of(Map.of());
    }
}
