package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.suite.Variant;

/** Tests the contract with a list for each subscription. */
@Variant
class RedisListIT extends RedisContract {

    RedisListIT() {
        super(RedisMode.LIST);
    }
}
