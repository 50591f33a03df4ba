package io.openmessaging.benchmark.driver.redis;

/** Publish and subscribe. */
class RedisPubSubIT extends RedisContract {

    RedisPubSubIT() {
        super(RedisMode.PUBSUB);
    }
}
