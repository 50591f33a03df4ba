package io.openmessaging.benchmark.measure;

import org.HdrHistogram.Histogram;

/**
 * The latencies of a period, or of several added together. Not changed once it is made.
 *
 * @param histogram counts by value in nanoseconds, three significant digits
 * @param sumNs the sum of the values themselves, not of their buckets
 * @param negativeCount how many were below zero and counted as zero
 * @param saturatedCount how many were beyond {@link LatencyRecorder#MAX_NS} and counted as that
 */
public record LatencySnapshot(Histogram histogram, double sumNs, long negativeCount, long saturatedCount) {

    private static final int SIGNIFICANT_DIGITS = 3;

    /** An empty histogram of the shape used throughout. */
    static Histogram newHistogram() {
        Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    /** No latencies. */
    public static LatencySnapshot empty() {
        return new LatencySnapshot(newHistogram(), 0, 0, 0);
    }

    /** So many equal latencies. */
    public static LatencySnapshot of(long latencyNs, long count) {
        Waits waits = new Waits();
        waits.add(latencyNs, count);
        return waits.take();
    }

    /** Both together, as a new snapshot. */
    public LatencySnapshot plus(LatencySnapshot other) {
        Histogram sum = histogram.copy();
        sum.add(other.histogram);
        return new LatencySnapshot(
                sum, sumNs + other.sumNs, negativeCount + other.negativeCount, saturatedCount + other.saturatedCount);
    }

    /** How many latencies. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** The figures of a result. */
    public LatencySummary summary() {
        return LatencySummary.of(this);
    }
}
