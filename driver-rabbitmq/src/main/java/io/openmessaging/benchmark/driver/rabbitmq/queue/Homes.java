package io.openmessaging.benchmark.driver.rabbitmq.queue;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which node a partition's queues and their clients belong to: a rule that needs nothing but names, so that all workers
 * follow it. Topics that are numbered, and their partitions, are dealt out to the nodes in turn. With one place to be,
 * everything is there.
 *
 * @param count how many places there are, at least 1
 */
record Homes(int count) {

    private static final Pattern LAST_NUMBER = Pattern.compile("(\\d{1,9})$");

    /** The place of a partition, from 0. */
    int of(TopicSpec topic, int partition) {
        Matcher number = LAST_NUMBER.matcher(topic.name());
        int topicNumber =
                number.find() ? Integer.parseInt(number.group(1)) : topic.name().hashCode();
        return Math.floorMod((long) topicNumber + partition, count);
    }

    /** Partitions of a topic by their places. */
    Map<Integer, List<Integer>> of(TopicSpec topic, Iterable<Integer> partitions) {
        Map<Integer, List<Integer>> byHome = new TreeMap<>();
        for (int partition : partitions) {
            byHome.computeIfAbsent(of(topic, partition), home -> new ArrayList<>())
                    .add(partition);
        }
        return byHome;
    }
}
