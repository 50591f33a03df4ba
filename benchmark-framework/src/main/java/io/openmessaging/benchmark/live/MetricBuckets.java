package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The latencies of one kind since the start of a run, in Prometheus' buckets: six per decade from 1 µs to 100 s, with
 * bounds that are a factor of 1.33 to 1.67 apart. Values up to 0.1 % above a bound, which the histogram cannot
 * distinguish from it, are counted below it. Not thread-safe.
 */
final class MetricBuckets {

    private static final double[] IN_A_DECADE = {1, 1.5, 2, 3, 5, 7};
    private static final long SMALLEST_NS = 1_000;
    private static final long LARGEST_NS = 100_000_000_000L;

    private static final long[] BOUNDS_NS = LongStream.concat(
                    LongStream.iterate(SMALLEST_NS, decade -> decade < LARGEST_NS, decade -> decade * 10)
                            .flatMap(decade ->
                                    DoubleStream.of(IN_A_DECADE).mapToLong(step -> Math.round(step * decade))),
                    LongStream.of(LARGEST_NS))
            .toArray();
    private static final double[] BOUNDS_SECONDS = DoubleStream.concat(
                    LongStream.of(BOUNDS_NS).mapToDouble(boundNs -> boundNs / 1e9),
                    DoubleStream.of(Double.POSITIVE_INFINITY))
            .toArray();

    /** Counts by bucket; the last one is for values beyond all bounds. */
    private final long[] counts = new long[BOUNDS_NS.length + 1];

    private double sumNs;

    /** Adds the latencies of a period. */
    void add(LatencySnapshot period) {
        int bucket = 0;
        for (HistogramIterationValue recorded : period.histogram().recordedValues()) {
            // The smallest value that the histogram counts together with this one.
            long lowestNs = period.histogram().lowestEquivalentValue(recorded.getValueIteratedTo());
            while (bucket < BOUNDS_NS.length && lowestNs > BOUNDS_NS[bucket]) {
                bucket++;
            }
            counts[bucket] += recorded.getCountAddedInThisIterationStep();
        }
        sumNs += period.sumNs();
    }

    /** The sum of the values themselves, not of the bucket bounds. */
    double sumSeconds() {
        return sumNs / 1e9;
    }

    /** A copy of the current counts. */
    ClassicHistogramBuckets buckets() {
        return ClassicHistogramBuckets.of(BOUNDS_SECONDS, counts.clone());
    }
}
