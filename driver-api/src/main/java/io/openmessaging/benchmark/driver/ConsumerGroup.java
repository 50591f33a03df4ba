package io.openmessaging.benchmark.driver;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
