package io.openmessaging.benchmark.driver;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Consumers of one subscription that are created together. For systems where the driver itself has to manage
 * subscriptions or the distribution of messages within them.
 *
 * @param topic topic that they read
 * @param subscription subscription that they belong to
 * @param members consumers in the order of their specifications
 */
public record ConsumerGroup(TopicSpec topic, String subscription, List<ConsumerSpec> members) {

    private record Key(TopicSpec topic, String subscription) {}

    /**
     * Refuses several groups on one topic: if the topic is an existing queue, each message goes to only one consumer.
     *
     * @param ofQueues groups whose topics are existing queues
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

    /** Groups the consumers by topic and subscription, in the order of the groups' first members. */
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
