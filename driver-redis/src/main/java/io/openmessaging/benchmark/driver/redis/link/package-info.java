/**
 * Connections to Redis: some send commands from one thread and read replies on another, some send one command at a
 * time, and some serve the control plane. This package is independent of messages and modes.
 *
 * <p>Jedis opens and authenticates every connection and encodes and parses everything that travels on it. Its
 * pipelines, however, read replies on the thread that sent the commands, and only on request. Therefore, below that
 * level, {@link io.openmessaging.benchmark.driver.redis.link.RedisLink} attaches jedis' own encoder and parser
 * directly to a connection's socket, so that two threads can use the two directions at the same time.
 */
package io.openmessaging.benchmark.driver.redis.link;
