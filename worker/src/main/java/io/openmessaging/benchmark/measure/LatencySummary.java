package io.openmessaging.benchmark.measure;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The figures of a latency in a result.
 *
 * @param count number of samples
 * @param minNs the smallest value
 * @param meanNs the mean of the exact values, not of bucket values; 0 without samples
 * @param percentileNs the value at each of {@link #PERCENTILES}
 * @param maxNs the largest value, to three significant digits
 * @param zeroCount number of samples that were zero (or negative)
 * @param negativeCount number of samples below zero
 * @param saturatedCount number of samples too large to be distinguished
 */
public record LatencySummary(
        long count,
        long minNs,
        double meanNs,
        SortedMap<Double, Long> percentileNs,
        long maxNs,
        long zeroCount,
        long negativeCount,
        long saturatedCount) {

    /** A percentile with fewer samples beyond it says little about its value in another run. */
    private static final double ENOUGH_SAMPLES = 10;

    /** The reported percentiles, as in OMB. */
    public static final List<Double> PERCENTILES = List.of(50.0, 75.0, 95.0, 99.0, 99.9, 99.99, 99.999);

    /** Returns whether a percentile rests on fewer than ten samples: count · (1 − p). */
    public boolean restsOnFew(double percentile) {
        // Uses whole thousandths of a percent: 100 - 99.9 is not 0.1 in floating point.
        long beyond = Math.round((100 - percentile) * 1000);
        return count * beyond < ENOUGH_SAMPLES * 100_000;
    }

    static LatencySummary of(LatencySnapshot latencies) {
        Histogram histogram = latencies.histogram();
        SortedMap<Double, Long> percentiles = new TreeMap<>();
        for (double percentile : PERCENTILES) {
            percentiles.put(percentile, histogram.getValueAtPercentile(percentile));
        }
        long count = histogram.getTotalCount();
        return new LatencySummary(
                count,
                count == 0 ? 0 : histogram.getMinValue(),
                count == 0 ? 0 : latencies.sumNs() / count,
                percentiles,
                histogram.getMaxValue(),
                histogram.getCountAtValue(0),
                latencies.negativeCount(),
                latencies.saturatedCount());
    }

    /** Returns the value at one of {@link #PERCENTILES}. */
    public long atNs(double percentile) {
        Long valueNs = percentileNs.get(percentile);
        if (valueNs == null) {
            throw new IllegalArgumentException("percentile " + percentile + " is not one of " + PERCENTILES);
        }
        return valueNs;
    }
}
