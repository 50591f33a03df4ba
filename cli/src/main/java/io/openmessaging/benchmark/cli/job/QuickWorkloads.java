package io.openmessaging.benchmark.cli.job;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workloads with which {@code bin/benchmark quick} compares systems: either one at a given rate, or a search for the
 * highest rate and then latencies at half of it. The time is counted in steps of the search.
 *
 * @param keys keys of both workloads and their values, such as {@code messageSize}
 * @param rate the rate as in a workload; null to search for the highest one
 * @param minutes time of the runs of a system, of one repetition
 */
public record QuickWorkloads(
        Map<String, Object> keys, @Nullable String rate, double minutes) {

    /** With less, a step of the search would be shorter than a workload may have it. */
    public static final int LEAST_MINUTES_OF_SEARCH = 1;

    private static final int STEPS = 60;
    private static final int WARM_UP_STEPS = 2;

    private static final int SEARCH_MEASURED_STEPS = 3;

    /** The same for all systems: percentiles of different times are not those of one workload. */
    private static final int LATENCY_STEPS = 10;

    /** For connections and probes, the first messages of a search, and the wait for the last ones. */
    private static final int OTHER_STEPS = 5;

    /**
     * The longest time for bursts and tries. With the usual step of 3 s, a search takes some 30 steps: 8 to 12 s of
     * bursts, five short tries and three confirming ones, each with the time in which the rate settles (1.4 and 6.4
     * steps).
     */
    private static final int LONGEST_SEARCH_STEPS =
            STEPS - 2 * WARM_UP_STEPS - SEARCH_MEASURED_STEPS - LATENCY_STEPS - OTHER_STEPS;

    private static final double MS_PER_MINUTE = 60_000;

    /** The shortest duration that a workload may have. */
    private static final long LEAST_MS = 1000;

    /** Returns a workload that finds the highest rate that the system sustains. */
    String search() {
        return workload("Finds the highest sustainable rate.", "quick-search", "0", millis(SEARCH_MEASURED_STEPS))
                + "searchStep: " + millis(1) + "ms\nsearchDuration: " + millis(LONGEST_SEARCH_STEPS) + "ms\n";
    }

    /** Returns a workload that measures latencies at a rate. */
    String latency(double msgPerSec) {
        return workload(
                "Latencies at half of the highest sustainable rate.",
                "quick-latency",
                String.format(Locale.ROOT, "%.0f", Math.max(1, msgPerSec)),
                millis(LATENCY_STEPS));
    }

    /** Returns the only workload if there is a rate. */
    String atRate(String given) {
        return workload("One rate for all systems.", "quick", given, millis(STEPS - WARM_UP_STEPS));
    }

    /** Returns about how long the run with a search takes at most. */
    Duration longestSearch() {
        return Duration.ofMillis(millis(WARM_UP_STEPS + LONGEST_SEARCH_STEPS + SEARCH_MEASURED_STEPS));
    }

    /** Returns about how long the runs of a system take. */
    Duration each() {
        return Duration.ofMillis(millis(STEPS));
    }

    private String workload(String about, String name, String producerRate, long measuredMs) {
        StringBuilder text = new StringBuilder("# " + about + " Written by bin/benchmark quick.\nname: " + name + "\n");
        keys.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
        return text.append("""
                        useRandomizedPayloads: true
                        randomBytesRatio: 0.5
                        randomizedPayloadPoolSize: 100
                        producerRate: %s
                        warmupDuration: %dms
                        testDuration: %dms
                        samplePeriod: 500ms
                        """.formatted(producerRate, millis(WARM_UP_STEPS), measuredMs))
                .toString();
    }

    private long millis(int steps) {
        return Math.max(LEAST_MS, Math.round(MS_PER_MINUTE * minutes * steps / STEPS));
    }
}
