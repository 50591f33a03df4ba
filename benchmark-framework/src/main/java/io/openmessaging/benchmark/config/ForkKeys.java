package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Empty;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keys of OMB's forks that mean what a key of ours means, or change nothing. All others of them are refused, by what {@link
 * Workload} says of them.
 */
final class ForkKeys {

    private static final String SAMPLE_PERIOD = "samplePeriod";
    private static final List<String> SAMPLE_PERIOD_MS = List.of("sampleRateMillis", "logIntervalMillis");
    private static final long LEAST_MS = 100;
    private static final long MOST_MS = 3_600_000;

    /** What these are where a fork's file does not say anything else. */
    private static final Map<String, Boolean> USUAL = Map.of("randomTopicNames", true, "skipCreateTopic", false);

    /** Without an element, as without them. */
    private static final Set<String> LISTS = Set.of(
            "producerRateList",
            "partitionsPerTopicList",
            "producersPerTopicList",
            "existingTopicList",
            "existingProduceTopicList",
            "existingConsumeTopicList");

    private ForkKeys() {}

    /** The same workload in keys of ours, as far as they mean the same. */
    static Mapping translated(Mapping workload) {
        Map<String, YamlNode> entries = new LinkedHashMap<>(workload.entries());
        for (String key : SAMPLE_PERIOD_MS) {
            if (entries.get(key) instanceof Scalar period
                    && period.value() instanceof Long ms
                    && ms >= LEAST_MS
                    && ms <= MOST_MS
                    && !entries.containsKey(SAMPLE_PERIOD)) {
                entries.remove(key);
                entries.put(SAMPLE_PERIOD, Scalar.of(ms + "ms"));
            }
        }
        USUAL.forEach((key, usual) -> {
            if (entries.get(key) instanceof Scalar scalar && usual.equals(scalar.value())) {
                entries.remove(key);
            }
        });
        Set<String> idle = new HashSet<>(SAMPLE_PERIOD_MS);
        idle.addAll(USUAL.keySet());
        idle.addAll(LISTS);
        entries.entrySet().removeIf(entry -> idle.contains(entry.getKey()) && isNothing(entry.getValue()));
        return new Mapping(entries);
    }

    private static boolean isNothing(YamlNode value) {
        return value instanceof Empty
                || value instanceof Sequence list && list.elements().isEmpty();
    }
}
