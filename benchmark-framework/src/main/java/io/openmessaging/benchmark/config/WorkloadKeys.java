package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.config.YamlNode.Mapping;
import java.util.List;
import java.util.Set;

/** Puts the keys of a workload in layers: those of a plan over those of the file. */
public final class WorkloadKeys {

    /** Of each set, a workload may have one key at most. */
    private static final List<Set<String>> ALTERNATIVES = List.of(
            Set.of("testDuration", "testDurationMinutes"),
            Set.of("warmupDuration", "warmupDurationMinutes"),
            Set.of("producerRate", "producerRateSchedule"),
            Set.of("messageSize", "messageSizeDistribution"));

    private WorkloadKeys() {}

    /**
     * The keys of both. The upper layer replaces a key of the lower one and takes away those that exclude it; a key
     * without a value only takes away.
     */
    public static Mapping over(Mapping lower, Mapping upper) {
        Mapping kept = lower;
        for (String key : upper.entries().keySet()) {
            for (Set<String> alternatives : ALTERNATIVES) {
                if (alternatives.contains(key)) {
                    for (String alternative : alternatives) {
                        kept = kept.without(alternative);
                    }
                }
            }
        }
        return kept.with(upper);
    }
}
