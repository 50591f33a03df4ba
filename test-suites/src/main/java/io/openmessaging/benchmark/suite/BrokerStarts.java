package io.openmessaging.benchmark.suite;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the broker starts of tests in this process, which are most of the cost of a suite. Thread-safe. */
public final class BrokerStarts {

    private static final Map<String, Integer> COUNTS = new TreeMap<>();

    private BrokerStarts() {}

    /** Counts the start of a broker or a cluster. */
    public static synchronized void count(String system) {
        COUNTS.merge(system, 1, Integer::sum);
    }

    /** Returns the counts since the last call, such as {@code kafka=2 redis=1}. */
    static synchronized String take() {
        String counts = COUNTS.entrySet().stream()
                .map(start -> start.getKey() + "=" + start.getValue())
                .collect(Collectors.joining(" "));
        COUNTS.clear();
        return counts;
    }
}
