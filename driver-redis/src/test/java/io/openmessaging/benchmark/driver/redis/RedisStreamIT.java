package io.openmessaging.benchmark.driver.redis;

/** Streams with a consumer group for each subscription. */
class RedisStreamIT extends RedisContract {

    RedisStreamIT() {
        super(RedisMode.STREAM);
    }
}
