package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The latencies of one kind in a period, or in several consecutive periods. Percentiles of a single period come from
 * its histogram. Percentiles of several periods are estimated from the rows of the heat map, between the lowest and
 * the highest of the periods. The true percentiles lie in the same range: no part of all messages can be slower than
 * in each of the periods.
 *
 * @param count number of latencies
 * @param p50Ns the median
 * @param p99Ns the 99th percentile
 * @param p999Ns the 99.9th percentile
 * @param maxNs the largest
 * @param firstRow row of the {@link LatencyScale} for the first of the counts
 * @param rowCounts number of latencies in each row, from the first to the last nonempty row
 */
record LatencyPoint(long count, long p50Ns, long p99Ns, long p999Ns, long maxNs, int firstRow, List<Long> rowCounts) {

    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;
    private static final double PERCENT = 100;

    /** Creates the point of a period that has at least one latency. */
    static LatencyPoint of(LatencySnapshot latencies) {
        Histogram histogram = latencies.histogram();
        long[] rows = new long[LatencyScale.ROWS];
        for (HistogramIterationValue recorded : histogram.recordedValues()) {
            rows[LatencyScale.rowOf(recorded.getValueIteratedTo())] += recorded.getCountAddedInThisIterationStep();
        }
        return new LatencyPoint(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(P50),
                histogram.getValueAtPercentile(P99),
                histogram.getValueAtPercentile(P999),
                histogram.getMaxValue(),
                firstOf(rows),
                trimmed(rows));
    }

    /** Joins this point and the one of the time that follows. */
    LatencyPoint followedBy(LatencyPoint next) {
        long[] rows = new long[LatencyScale.ROWS];
        addTo(rows);
        next.addTo(rows);
        long both = count + next.count;
        return new LatencyPoint(
                both,
                between(p50Ns, next.p50Ns, read(rows, both, P50)),
                between(p99Ns, next.p99Ns, read(rows, both, P99)),
                between(p999Ns, next.p999Ns, read(rows, both, P999)),
                Math.max(maxNs, next.maxNs),
                firstOf(rows),
                trimmed(rows));
    }

    private void addTo(long[] rows) {
        for (int i = 0; i < rowCounts.size(); i++) {
            rows[firstRow + i] += rowCounts.get(i);
        }
    }

    private static long between(long one, long other, double read) {
        return Math.round(Math.max(Math.min(one, other), Math.min(Math.max(one, other), read)));
    }

    /**
     * Returns the value below which the given percentage of all latencies lies, assuming that the values of a row are
     * spread evenly over its logarithm.
     */
    private static double read(long[] rows, long count, double percentile) {
        double rank = count * percentile / PERCENT;
        double below = 0;
        for (int row = 0; row < rows.length; row++) {
            if (rows[row] > 0 && below + rows[row] >= rank) {
                return LatencyScale.beginNs(row + (rank - below) / rows[row]);
            }
            below += rows[row];
        }
        return LatencyScale.beginNs(rows.length);
    }

    private static int firstOf(long[] rows) {
        int first = 0;
        while (first < rows.length - 1 && rows[first] == 0) {
            first++;
        }
        return first;
    }

    private static List<Long> trimmed(long[] rows) {
        int end = rows.length;
        while (end > 0 && rows[end - 1] == 0) {
            end--;
        }
        List<Long> kept = new ArrayList<>();
        for (int row = firstOf(rows); row < end; row++) {
            kept.add(rows[row]);
        }
        return List.copyOf(kept);
    }

    /**
     * The rows of the heat map: twelve for each power of ten from 1 µs to 100 s, each 21 % above the one below. Values
     * below or above count in the first or the last row.
     */
    static final class LatencyScale {

        /** The number of rows. */
        static final int ROWS = 96;

        private static final int ROWS_OF_A_DECADE = 12;
        private static final double LOWEST_NS = 1e3;

        private LatencyScale() {}

        /** Returns the row of a latency. */
        static int rowOf(long latencyNs) {
            if (latencyNs <= LOWEST_NS) {
                return 0;
            }
            return Math.min(ROWS - 1, (int) (Math.log10(latencyNs / LOWEST_NS) * ROWS_OF_A_DECADE));
        }

        /** Returns the latency at which a row starts, in nanoseconds; for {@link #ROWS}, the end of the last row. */
        static double beginNs(double row) {
            return LOWEST_NS * Math.pow(10, row / ROWS_OF_A_DECADE);
        }
    }
}
