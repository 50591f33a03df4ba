package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The latencies of one kind since the begin of a run, in the buckets of Prometheus: six in each decade from 1 µs to 100 s,
 * whose bounds are a factor of 1.33 to 1.67 apart. Values that are not told apart from a bound, up to 0.1 % above it, are
 * counted below it. Not thread-safe.
 */
final class LatencyBuckets {

    private static final double[] IN_A_DECADE = {1, 1.5, 2, 3, 5, 7};
    private static final long SMALLEST_NS = 1_000;
    private static final long LARGEST_NS = 100_000_000_000L;
    private static final double NS_PER_SECOND = 1e9;

    private static final long[] BOUNDS_NS = bounds();
    private static final double[] BOUNDS_SECONDS = seconds(BOUNDS_NS);

    /** By bucket, the last one for what is beyond all bounds. */
    private final long[] counts = new long[BOUNDS_NS.length + 1];

    private double sumNs;

    private static long[] bounds() {
        List<Long> bounds = new ArrayList<>();
        for (long decade = SMALLEST_NS; decade < LARGEST_NS; decade *= 10) {
            for (double step : IN_A_DECADE) {
                bounds.add(Math.round(step * decade));
            }
        }
        bounds.add(LARGEST_NS);
        return bounds.stream().mapToLong(Long::longValue).toArray();
    }

    private static double[] seconds(long[] boundsNs) {
        double[] seconds = new double[boundsNs.length + 1];
        for (int i = 0; i < boundsNs.length; i++) {
            seconds[i] = boundsNs[i] / NS_PER_SECOND;
        }
        seconds[boundsNs.length] = Double.POSITIVE_INFINITY;
        return seconds;
    }

    /** Adds the latencies of a period. */
    void add(LatencySnapshot period) {
        int bucket = 0;
        for (HistogramIterationValue recorded : period.histogram().recordedValues()) {
            while (bucket < BOUNDS_NS.length && lowest(period, recorded) > BOUNDS_NS[bucket]) {
                bucket++;
            }
            counts[bucket] += recorded.getCountAddedInThisIterationStep();
        }
        sumNs += period.sumNs();
    }

    /** The smallest value that is counted together with this one. */
    private static long lowest(LatencySnapshot period, HistogramIterationValue recorded) {
        return period.histogram().lowestEquivalentValue(recorded.getValueIteratedTo());
    }

    /** Of the values themselves. */
    double sumSeconds() {
        return sumNs / NS_PER_SECOND;
    }

    /** The counts now. */
    ClassicHistogramBuckets buckets() {
        return ClassicHistogramBuckets.of(BOUNDS_SECONDS, counts.clone());
    }
}
