package io.openmessaging.benchmark.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts latencies by value, with three significant digits, for one writing thread.
 *
 * <p>The buckets are those of an HdrHistogram of three digits: values below 2048 ns have a bucket each, and every
 * further doubling of the value is divided into 1024 buckets of equal width. Counts only grow, so a reader needs no
 * handshake with the writer: it reads the counts at any time ({@link #addTo}) and subtracts its previous reading. This
 * saves the writer the two atomic operations per sample that a recorder with swapped histograms needs.
 *
 * <p>Every sample is counted: a negative latency (from clocks that disagree) goes into the bucket of zero and counts
 * as negative, one beyond {@link #MAX_NS} goes into the last bucket and counts as saturated.
 *
 * <p>Concurrency: {@link #record} by one thread at a time; {@link #addTo} by any thread, at any time; it sees every
 * sample recorded before the call, some of the samples recorded during the call, and no torn count.
 */
public final class LatencyRecorder {

    /** The largest value that is distinguished (73 minutes); larger ones count as saturated. */
    public static final long MAX_NS = (1L << 42) - 1;

    static final int SUB_BUCKET_BITS = 11;
    static final int ROW_BITS = SUB_BUCKET_BITS - 1;
    static final int ROW_LENGTH = 1 << ROW_BITS;
    static final int ROWS = 42 - SUB_BUCKET_BITS + 2;

    private static final long SUB_BUCKET_MASK = (1L << SUB_BUCKET_BITS) - 1;
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle ROW = MethodHandles.arrayElementVarHandle(long[][].class);

    /** One row per doubling, created when the first value falls into it: most recorders use a dozen of the 33. */
    private final long[][] rows = new long[ROWS][];

    /** May overflow in a long run: readers only take differences, which remain correct. */
    private final Counter sumNs = new Counter();

    private final Counter zeroCount = new Counter();
    private final Counter negativeCount = new Counter();
    private final Counter saturatedCount = new Counter();

    /**
     * Counts a latency of 0, at a third of the cost of {@link #record}: no bucket has to be found, and the sum does
     * not change.
     */
    public void recordZero() {
        zeroCount.add(1);
    }

    /** Counts one latency. Never waits; allocates only when a value falls into a row for the first time. */
    public void record(long latencyNs) {
        long valueNs = latencyNs;
        if (valueNs < 0) {
            negativeCount.add(1);
            valueNs = 0;
        } else if (valueNs > MAX_NS) {
            saturatedCount.add(1);
            valueNs = MAX_NS;
        }
        int shift = Long.SIZE - SUB_BUCKET_BITS - Long.numberOfLeadingZeros(valueNs | SUB_BUCKET_MASK);
        int index = (shift << ROW_BITS) + (int) (valueNs >>> shift);
        long[] row = rows[index >>> ROW_BITS];
        if (row == null) {
            row = newRow(index >>> ROW_BITS);
        }
        int column = index & (ROW_LENGTH - 1);
        COUNTS.setOpaque(row, column, row[column] + 1);
        sumNs.add(valueNs);
    }

    private long[] newRow(int rowIndex) {
        long[] row = new long[ROW_LENGTH];
        ROW.setRelease(rows, rowIndex, row);
        return row;
    }

    /** Returns the number of latencies below zero so far. */
    long negativeCount() {
        return negativeCount.get();
    }

    /** Adds everything counted so far to the given counts. */
    void addTo(LatencyCounts target) {
        // A sample recorded during this reading may be counted without its value, which then becomes part of the next
        // reading. A period's mean may be off by those few samples; all periods together contain each value once.
        target.sumNs += sumNs.get();
        target.negativeCount += negativeCount.get();
        target.saturatedCount += saturatedCount.get();
        long zeroes = zeroCount.get();
        if (zeroes > 0) {
            target.row(0)[0] += zeroes;
        }
        for (int r = 0; r < ROWS; r++) {
            long[] row = (long[]) ROW.getAcquire(rows, r);
            if (row != null) {
                long[] into = target.row(r);
                for (int c = 0; c < ROW_LENGTH; c++) {
                    into[c] += (long) COUNTS.getOpaque(row, c);
                }
            }
        }
    }

    /** Returns the lowest value of a bucket: the inverse of the index computed in {@link #record}. */
    static long lowestValueNs(int rowIndex, int column) {
        if (rowIndex <= 1) {
            return ((long) rowIndex << ROW_BITS) + column;
        }
        return (long) (column + ROW_LENGTH) << (rowIndex - 1);
    }
}
