package io.openmessaging.benchmark.suite;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts how often tests of this process start which broker: starts are most of what a suite costs. For any thread. */
public final class BrokerStarts {

    private static final Map<String, Integer> COUNTS = new TreeMap<>();

    private BrokerStarts() {}

    /** A broker or a cluster is being started. */
    public static synchronized void count(String system) {
        COUNTS.merge(system, 1, Integer::sum);
    }

    /** The counts since the last call, such as {@code kafka=2 redis=1}. */
    static synchronized String take() {
        String counts = COUNTS.entrySet().stream()
                .map(start -> start.getKey() + "=" + start.getValue())
                .collect(Collectors.joining(" "));
        COUNTS.clear();
        return counts;
    }
}
