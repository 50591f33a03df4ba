package io.openmessaging.benchmark.measure;

/**
 * The two latencies of each event: from the actual and from the intended send.
 *
 * <p>They are equal if a message is sent exactly at its intended time, which holds for every message of a run without
 * a rate. Such a sample is counted once for both, which saves a tenth of the harness' cost in such runs.
 *
 * <p>Concurrency: like {@link LatencyRecorder}.
 */
final class LatencyPair {

    private final LatencyRecorder equal = new LatencyRecorder();
    private final LatencyRecorder actual = new LatencyRecorder();
    private final LatencyRecorder scheduled = new LatencyRecorder();

    /** Counts the latencies of one event. */
    void record(long latencyNs, long scheduledLatencyNs) {
        if (latencyNs == scheduledLatencyNs) {
            equal.record(latencyNs);
        } else {
            actual.record(latencyNs);
            scheduled.record(scheduledLatencyNs);
        }
    }

    /** Counts the latency of an event whose intended time is unknown. */
    void recordActual(long latencyNs) {
        actual.record(latencyNs);
    }

    /** Returns the number of events so far whose latency from the actual send was below zero. */
    long negativeCount() {
        return equal.negativeCount() + actual.negativeCount();
    }

    /** Adds everything counted so far to the counts of both latencies. */
    void addTo(LatencyCounts actualCounts, LatencyCounts scheduledCounts) {
        equal.addTo(actualCounts);
        equal.addTo(scheduledCounts);
        actual.addTo(actualCounts);
        scheduled.addTo(scheduledCounts);
    }
}
