package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;

/**
 * How many of RocketMQ's instances, which have the connections and most of the threads, the producers and the consumers of a
 * process share, for more of them than a process can have threads and sockets for.
 *
 * @param producers instances of all producers, each with one client of RocketMQ
 * @param consumers instances of all consumers, which have a client each: an instance tells the brokers of all its groups
 *     whenever one of them changes, so it should not have too many
 */
public record RocketMqSharedClients(
        @Default("4") @Range(from = "1", to = "1000") int producers,
        @Default("32") @Range(from = "1", to = "1000") int consumers) {}
