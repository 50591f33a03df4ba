package io.openmessaging.benchmark.driver.redis;

/** A list for each subscription. */
class RedisListIT extends RedisContract {

    RedisListIT() {
        super(RedisMode.LIST);
    }
}
