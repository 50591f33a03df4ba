package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.suite.Variant;

/** Tests the contract with publish and subscribe. */
@Variant
class RedisPubSubIT extends RedisContract {

    RedisPubSubIT() {
        super(RedisMode.PUBSUB);
    }
}
