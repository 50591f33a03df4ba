/**
 * Redis, through {@code jedis}: streams, publish/subscribe or lists.
 *
 * <p>{@link io.openmessaging.benchmark.driver.redis.RedisBenchmarkDriver} is the entry: it binds {@link
 * io.openmessaging.benchmark.driver.redis.RedisConfig} and opens a connection. What differs from mode to mode is a {@code
 * Transport}. A producer owns one {@link io.openmessaging.benchmark.driver.redis.link.CommandPipeline} for each node it
 * writes to, which the sending thread writes to and a thread of its own reads replies from. A consumer owns one {@code
 * ReadLoop} for each connection it reads from, which is a thread that asks a {@code MessageSource} again and again.
 */
package io.openmessaging.benchmark.driver.redis;
