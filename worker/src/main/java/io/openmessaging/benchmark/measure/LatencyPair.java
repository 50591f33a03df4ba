package io.openmessaging.benchmark.measure;

/**
 * Two latencies of each event: from the actual and from the intended send.
 *
 * <p>They are equal wherever a message is sent exactly when it was to be, which is each message of a run without a rate.
 * Such a sample is counted once, for both, and this is a tenth of what the harness costs there.
 *
 * <p>Concurrency: as {@link LatencyRecorder}.
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

    /** Counts the latency of an event whose intended time is not known. */
    void recordActual(long latencyNs) {
        actual.record(latencyNs);
    }

    /** Of how many events the latency from the actual send was below zero so far. */
    long negativeCount() {
        return equal.negativeCount() + actual.negativeCount();
    }

    /** Adds everything counted so far to the counts of the one and of the other. */
    void addTo(LatencyCounts actualCounts, LatencyCounts scheduledCounts) {
        equal.addTo(actualCounts);
        equal.addTo(scheduledCounts);
        actual.addTo(actualCounts);
        scheduled.addTo(scheduledCounts);
    }
}
