package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;

/**
 * Numbers of RocketMQ instances, which hold the connections and most of the threads, that the producers and the
 * consumers of a process share. Allows more of them than a process could have threads and sockets for otherwise.
 *
 * @param producers number of instances of all producers, each with one RocketMQ client
 * @param consumers number of instances of all consumers, which have a client each: an instance reports all its groups
 *     to the brokers whenever one of them changes, so it should not have too many
 */
public record RocketMqSharedClients(
        @Default("4") @Range(from = "1", to = "1000") int producers,
        @Default("32") @Range(from = "1", to = "1000") int consumers) {}
