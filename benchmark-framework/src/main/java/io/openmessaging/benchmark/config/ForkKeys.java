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
 * Keys of OMB's forks that have the meaning of one of our keys, or no effect. All other keys of the forks are refused,
 * as declared at {@link Workload}.
 */
final class ForkKeys {

    private static final String SAMPLE_PERIOD = "samplePeriod";
    private static final List<String> SAMPLE_PERIOD_MS = List.of("sampleRateMillis", "logIntervalMillis");
    private static final long LEAST_MS = 100;
    private static final long MOST_MS = 3_600_000;

    /** The values of these keys that have no effect. */
    private static final Map<String, Boolean> USUAL = Map.of("randomTopicNames", true, "skipCreateTopic", false);

    /** Lists that have no effect if they are empty. */
    private static final Set<String> LISTS = Set.of(
            "producerRateList",
            "partitionsPerTopicList",
            "producersPerTopicList",
            "existingTopicList",
            "existingProduceTopicList",
            "existingConsumeTopicList");

    private ForkKeys() {}

    /** Returns the workload with our keys, as far as they mean the same. */
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
