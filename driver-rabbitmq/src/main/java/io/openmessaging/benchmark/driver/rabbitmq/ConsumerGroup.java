package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The consumers of one subscription that are created together.
 *
 * @param members in the order of their specifications
 */
record ConsumerGroup(TopicSpec topic, String subscription, List<ConsumerSpec> members) {

    /** What makes a group. */
    private record Key(TopicSpec topic, String subscription) {}

    /** The groups of these consumers. */
    static List<ConsumerGroup> of(List<ConsumerSpec> specs) {
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
