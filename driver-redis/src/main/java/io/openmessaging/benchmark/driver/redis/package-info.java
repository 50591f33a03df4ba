/**
 * Redis, through {@code jedis}: streams, publish/subscribe or lists.
 *
 * <p>{@link io.openmessaging.benchmark.driver.redis.RedisBenchmarkDriver} is the entry: it binds {@link
 * io.openmessaging.benchmark.driver.redis.RedisConfig} and opens a connection. A producer owns one {@code
 * CommandPipeline} for each node it writes to, which the sending thread writes to and a thread of its own reads replies
 * from. A consumer owns one {@code ReadLoop} for each connection it reads from, which is a thread that asks a {@code
 * MessageSource} again and again.
 *
 * <p>Jedis opens and authenticates every connection and encodes and parses everything that travels on it. Its
 * pipelines, however, read replies on the thread that sent the commands, and only when told to; therefore, below them,
 * {@link io.openmessaging.benchmark.driver.redis.link.RedisLink} puts jedis' own encoder and parser to a connection's socket, so that two threads can use the two
 * directions at the same time.
 */
@NullMarked
package io.openmessaging.benchmark.driver.redis;

import org.jspecify.annotations.NullMarked;
