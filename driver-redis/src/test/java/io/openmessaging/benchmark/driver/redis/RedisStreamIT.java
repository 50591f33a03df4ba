package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;

/** Tests the contract with streams, with a consumer group for each subscription. */
class RedisStreamIT extends RedisContract {

    RedisStreamIT() {
        super(RedisMode.STREAM);
    }
}
