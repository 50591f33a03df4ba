package io.openmessaging.benchmark.driver;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The consumers of one subscription that are created together. For systems whose subscriptions, or whose shares of them,
 * the driver has to see to itself.
 *
 * @param topic the topic they read
 * @param subscription the subscription they belong to
 * @param members in the order of their specifications
 */
public record ConsumerGroup(TopicSpec topic, String subscription, List<ConsumerSpec> members) {

    private record Key(TopicSpec topic, String subscription) {}

    /**
     * Refuses several groups of one topic: where the topic is a queue that is there already, each message goes to one
     * consumer.
     *
     * @param ofQueues groups of such topics
     */
    public static void requireOneEach(List<ConsumerGroup> ofQueues) throws DriverException {
        Set<TopicSpec> seen = new HashSet<>();
        for (ConsumerGroup group : ofQueues) {
            if (!seen.add(group.topic)) {
                throw new DriverException("Could not consume the queue '" + group.topic.name()
                        + "' in several subscriptions: each message goes to one consumer of a queue; use"
                        + " subscriptionsPerTopic: 1");
            }
        }
    }

    /** The groups of these consumers, in the order of their first members. */
    public static List<ConsumerGroup> of(List<ConsumerSpec> specs) {
        Map<Key, List<ConsumerSpec>> groups = specs.stream()
                .collect(Collectors.groupingBy(
                        spec -> new Key(spec.topic(), spec.subscription()),
                        LinkedHashMap::new,
                        Collectors.toUnmodifiableList()));
        return groups.entrySet().stream()
                .map(group ->
                        new ConsumerGroup(group.getKey().topic(), group.getKey().subscription(), group.getValue()))
                .toList();
    }
}
