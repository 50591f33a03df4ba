package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;

/**
 * Numbers of Kafka clients that the producers and consumers of a process share, for more of them than the threads and
 * sockets of a process allow.
 *
 * @param producers clients of all producers
 * @param consumers clients of all consumers of a subscription
 */
public record KafkaSharedClients(
        @Default("4") @Range(from = "1", to = "1000") int producers,
        @Default("4") @Range(from = "1", to = "1000") int consumers) {

    /**
     * The client that reads a topic for a subscription. It is the same in each process: a topic's consumers are in one
     * group.
     */
    int consumerOf(String topic) {
        return Math.floorMod(topic.hashCode(), consumers);
    }
}
