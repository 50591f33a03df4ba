package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.AbsentWith;
import io.openmessaging.benchmark.binding.RecordKey;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;

/** Puts the keys of a workload in layers: those of a plan override those of the file. */
public final class WorkloadKeys {

    private WorkloadKeys() {}

    /**
     * Returns the keys of both. The upper layer replaces keys of the lower one and removes those that it excludes; a
     * key without a value only removes.
     */
    public static Mapping over(Mapping lower, Mapping upper) {
        Mapping kept = lower;
        for (RecordKey key : RecordKey.of(Workload.class)) {
            for (AbsentWith absent : key.absentWith()) {
                for (String other : absent.value()) {
                    if (upper.entries().containsKey(other)) {
                        kept = kept.without(key.name());
                    }
                    if (absent.eitherOr() && upper.entries().containsKey(key.name())) {
                        kept = kept.without(other);
                    }
                }
            }
        }
        return kept.with(upper);
    }
}
