package io.openmessaging.benchmark.cli.job;

import java.time.Duration;
import java.util.Locale;

/**
 * The two workloads with which {@code bin/benchmark quick} compares systems: one topic of one partition, a producer and
 * a consumer.
 *
 * @param messageBytes the size of a message
 * @param stepMinutes time of a step of the search
 */
public record QuickWorkloads(int messageBytes, double stepMinutes) {

    private static final int MEASURED_STEPS = 12;
    private static final int WARM_UP_STEPS = 2;
    private static final double MS_PER_MINUTE = 60_000;

    /** The shortest duration that a workload may have. */
    private static final long LEAST_MS = 1000;

    /** Returns a workload that finds the highest rate that the system sustains. */
    String search() {
        return workload("Finds the highest sustainable rate.", "quick-search", "0", MEASURED_STEPS / 4) + "searchStep: "
                + time(1) + "\n";
    }

    /** Returns a workload that measures latencies at a rate. */
    String latency(double msgPerSec) {
        String rate = String.format(Locale.ROOT, "%.0f", Math.max(1, msgPerSec));
        return workload("Latencies at half of the highest sustainable rate.", "quick-latency", rate, MEASURED_STEPS);
    }

    /** Returns the minimum time of a run. */
    Duration shortest() {
        return Duration.ofMillis(Math.round(MS_PER_MINUTE * stepMinutes * MEASURED_STEPS));
    }

    private String workload(String about, String name, String rate, int measuredSteps) {
        return """
                # %s Written by bin/benchmark quick.
                name: %s
                topics: 1
                partitionsPerTopic: 1
                messageSize: %d
                useRandomizedPayloads: true
                randomBytesRatio: 0.5
                randomizedPayloadPoolSize: 100
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: %s
                warmupDuration: %s
                testDuration: %s
                samplePeriod: 500ms
                """.formatted(about, name, messageBytes, rate, time(WARM_UP_STEPS), time(measuredSteps));
    }

    private String time(int steps) {
        return Math.max(LEAST_MS, Math.round(MS_PER_MINUTE * stepMinutes * steps)) + "ms";
    }
}
