package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.TopicSpec;
import org.apache.activemq.artemis.api.core.SimpleString;

/** What a topic's partitions are for Artemis: an address each. */
final class Addresses {

    /** Not in the name of a topic, so that no other topic's address looks the same. */
    private static final char SEPARATOR = '.';

    private Addresses() {}

    /** The address of a partition: the topic's name itself if there is only one. */
    static SimpleString address(TopicSpec topic, int partition) {
        return topic.partitions() == 1 ? whole(topic.name()) : part(topic.name(), partition);
    }

    /** The address of a topic that has one partition. */
    static SimpleString whole(String topic) {
        return SimpleString.of(topic);
    }

    /** The address of one of several partitions. */
    static SimpleString part(String topic, int partition) {
        return SimpleString.of(topic + SEPARATOR + partition);
    }

    /** The queue that holds a subscription's messages from an address. */
    static SimpleString queue(SimpleString address, String subscription) {
        return SimpleString.of(address.toString() + SEPARATOR + SEPARATOR + subscription);
    }
}
