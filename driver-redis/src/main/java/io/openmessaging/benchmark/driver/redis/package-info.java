/**
 * Redis, through {@code jedis}: streams, publish/subscribe or lists.
 *
 * <p>{@link io.openmessaging.benchmark.driver.redis.RedisBenchmarkDriver} is the entry point: it binds
 * {@link io.openmessaging.benchmark.driver.redis.RedisConfig} and opens a connection. A {@code Transport} holds the
 * differences between the modes. A producer owns one {@link
 * io.openmessaging.benchmark.driver.redis.link.CommandPipeline} for each node it writes to: the sending thread writes
 * the commands, and a dedicated thread reads the replies. A consumer owns one {@code ReadLoop} for each connection it
 * reads from: a thread that calls a {@code MessageSource} in a loop.
 */
package io.openmessaging.benchmark.driver.redis;
