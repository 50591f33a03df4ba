package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts the keys of a workload in layers: those of a plan over those of the file. */
public final class WorkloadKeys {

    private static final Set<String> TEST_TIMES = Set.of("testDuration", "testDurationMinutes");
    private static final Set<String> WARMUP_TIMES = Set.of("warmupDuration", "warmupDurationMinutes");
    private static final Set<String> PACES = Set.of("producerRate", "producerRateSchedule", "rateSweep", "sendWithin");
    private static final Set<String> STEPS = Set.of("producerSteps", "consumerSteps");
    private static final Set<String> SIZES = Set.of("messageSize", "messageSizeDistribution");

    /** What cannot be there together with a key, and gives way when the key is put over it. */
    private static final Map<String, List<Set<String>>> EXCLUDED = Map.ofEntries(
            Map.entry("testDuration", List.of(TEST_TIMES)),
            Map.entry("testDurationMinutes", List.of(TEST_TIMES)),
            Map.entry("warmupDuration", List.of(WARMUP_TIMES)),
            Map.entry("warmupDurationMinutes", List.of(WARMUP_TIMES)),
            Map.entry("producerRate", List.of(PACES)),
            Map.entry("sendWithin", List.of(PACES)),
            Map.entry("producerRateSchedule", List.of(PACES, TEST_TIMES)),
            Map.entry("rateSweep", List.of(PACES, TEST_TIMES)),
            Map.entry("producerSteps", List.of(STEPS, TEST_TIMES, Set.of("producersPerTopic"))),
            Map.entry("consumerSteps", List.of(STEPS, TEST_TIMES, Set.of("consumerPerSubscription"))),
            Map.entry("messageSize", List.of(SIZES)),
            Map.entry("messageSizeDistribution", List.of(SIZES)));

    private WorkloadKeys() {}

    /**
     * The keys of both. The upper layer replaces a key of the lower one and takes away those that it excludes; a key
     * without a value only takes away.
     */
    public static Mapping over(Mapping lower, Mapping upper) {
        Mapping kept = lower;
        for (String key : upper.entries().keySet()) {
            for (Set<String> excluded : EXCLUDED.getOrDefault(key, List.of())) {
                for (String each : excluded) {
                    kept = kept.without(each);
                }
            }
        }
        return kept.with(upper);
    }
}
