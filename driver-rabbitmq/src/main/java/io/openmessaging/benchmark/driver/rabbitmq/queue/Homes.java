package io.openmessaging.benchmark.driver.rabbitmq.queue;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Assigns the queues and clients of each partition to a node, their home. The rule needs only names, so all workers
 * apply it alike. Numbered topics and their partitions are distributed to the homes in turn. With a single home,
 * everything goes there.
 *
 * @param count number of homes, at least 1
 */
record Homes(int count) {

    private static final Pattern LAST_NUMBER = Pattern.compile("(\\d{1,9})$");

    /** The home of a partition, from 0. */
    int of(TopicSpec topic, int partition) {
        Matcher number = LAST_NUMBER.matcher(topic.name());
        int topicNumber =
                number.find() ? Integer.parseInt(number.group(1)) : topic.name().hashCode();
        return Math.floorMod((long) topicNumber + partition, count);
    }

    /** Groups partitions of a topic by their homes. */
    Map<Integer, List<Integer>> of(TopicSpec topic, Iterable<Integer> partitions) {
        Map<Integer, List<Integer>> byHome = new TreeMap<>();
        for (int partition : partitions) {
            byHome.computeIfAbsent(of(topic, partition), home -> new ArrayList<>())
                    .add(partition);
        }
        return byHome;
    }
}
