package io.openmessaging.benchmark.driver.redis;

/** Tests the contract with streams, with a consumer group for each subscription. */
class RedisStreamIT extends RedisContract {

    RedisStreamIT() {
        super(RedisMode.STREAM);
    }
}
