package io.openmessaging.benchmark.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        Map<Key, List<ConsumerSpec>> groups = new LinkedHashMap<>();
        for (ConsumerSpec spec : specs) {
            groups.computeIfAbsent(new Key(spec.topic(), spec.subscription()), key -> new ArrayList<>())
                    .add(spec);
        }
        return groups.entrySet().stream()
                .map(group -> new ConsumerGroup(
                        group.getKey().topic(), group.getKey().subscription(), List.copyOf(group.getValue())))
                .toList();
    }
}
