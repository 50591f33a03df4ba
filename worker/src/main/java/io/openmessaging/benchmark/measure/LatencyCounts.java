package io.openmessaging.benchmark.measure;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Sums that a reader takes from a number of {@link LatencyRecorder}s. Used by the sampler's thread alone. */
final class LatencyCounts {

    private final long[] @Nullable [] rows = new long[LatencyRecorder.ROWS][];
    long sumNs;
    long negativeCount;
    long saturatedCount;

    long[] row(int rowIndex) {
        long[] row = rows[rowIndex];
        if (row == null) {
            row = new long[LatencyRecorder.ROW_LENGTH];
            rows[rowIndex] = row;
        }
        return row;
    }

    /** Adds the counts of other recorders. */
    void add(LatencyCounts other) {
        for (int r = 0; r < rows.length; r++) {
            long[] from = other.rows[r];
            if (from != null) {
                long[] into = row(r);
                for (int c = 0; c < into.length; c++) {
                    into[c] += from[c];
                }
            }
        }
        sumNs += other.sumNs;
        negativeCount += other.negativeCount;
        saturatedCount += other.saturatedCount;
    }

    /** Returns the latencies recorded since earlier counts of the same recorders. */
    LatencySnapshot since(LatencyCounts earlier) {
        Histogram histogram = LatencySnapshot.newHistogram();
        for (int r = 0; r < rows.length; r++) {
            long[] row = rows[r];
            if (row == null) {
                continue;
            }
            long[] before = earlier.rows[r];
            for (int c = 0; c < row.length; c++) {
                long count = row[c] - (before == null ? 0 : before[c]);
                if (count > 0) {
                    histogram.recordValueWithCount(LatencyRecorder.lowestValueNs(r, c), count);
                }
            }
        }
        return new LatencySnapshot(
                histogram,
                sumNs - earlier.sumNs,
                negativeCount - earlier.negativeCount,
                saturatedCount - earlier.saturatedCount);
    }
}
