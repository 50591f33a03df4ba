/**
 * Connections to Redis: for commands from one thread and answers on another, for commands and answers in turn, and those
 * of the control plane. Nothing here knows of messages and modes.
 *
 * <p>Jedis opens and authenticates every connection and encodes and parses everything that travels on it. Its
 * pipelines, however, read replies on the thread that sent the commands, and only when told to; therefore, below them,
 * {@link io.openmessaging.benchmark.driver.redis.link.RedisLink} puts jedis' own encoder and parser to a connection's
 * socket, so that two threads can use the two directions at the same time.
 */
package io.openmessaging.benchmark.driver.redis.link;
