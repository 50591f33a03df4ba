package io.openmessaging.benchmark.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The latencies of a period, or the sum of several. Treated as immutable.
 *
 * @param histogram counts by value in nanoseconds, three significant digits
 * @param sumNs the sum of the exact values, not of bucket values
 * @param negativeCount number of latencies below zero, which were counted as zero
 * @param saturatedCount number of latencies beyond {@link LatencyRecorder#MAX_NS}, which were counted as that value
 */
public record LatencySnapshot(Histogram histogram, double sumNs, long negativeCount, long saturatedCount) {

    private static final int SIGNIFICANT_DIGITS = 3;

    /** Creates an empty histogram with the settings used throughout. */
    static Histogram newHistogram() {
        Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    /** No latencies. */
    public static LatencySnapshot empty() {
        return new LatencySnapshot(newHistogram(), 0, 0, 0);
    }

    /** Returns a number of equal latencies. */
    public static LatencySnapshot of(long latencyNs, long count) {
        Waits waits = new Waits();
        waits.add(latencyNs, count);
        return waits.take();
    }

    /** Returns the sum as a new snapshot. */
    public LatencySnapshot plus(LatencySnapshot other) {
        return sum(List.of(this, other));
    }

    /** Returns the sum; for a single summand, the summand itself. */
    public static LatencySnapshot sum(List<LatencySnapshot> summands) {
        if (summands.size() == 1) {
            return summands.get(0);
        }
        Histogram histogram = newHistogram();
        double sumNs = 0;
        long negativeCount = 0;
        long saturatedCount = 0;
        for (LatencySnapshot summand : summands) {
            histogram.add(summand.histogram);
            sumNs += summand.sumNs;
            negativeCount += summand.negativeCount;
            saturatedCount += summand.saturatedCount;
        }
        return new LatencySnapshot(histogram, sumNs, negativeCount, saturatedCount);
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** Returns the figures for a result. */
    public LatencySummary summary() {
        return LatencySummary.of(this);
    }

    /**
     * Writes the snapshot in the binary form that {@link #readFrom} reads: the histogram in HdrHistogram's compressed
     * V2 encoding.
     */
    public void writeTo(DataOutput out) throws IOException {
        // Encodes a copy: a histogram keeps the buffer that it needs for encoding, which is as large as itself.
        Histogram copy = histogram.copy();
        ByteBuffer buffer = ByteBuffer.allocate(copy.getNeededByteBufferCapacity());
        int length = copy.encodeIntoCompressedByteBuffer(buffer);
        out.writeInt(length);
        out.write(buffer.array(), 0, length);
        out.writeDouble(sumNs);
        out.writeLong(negativeCount);
        out.writeLong(saturatedCount);
    }

    /** Reads what {@link #writeTo} has written; equal to the original. */
    public static LatencySnapshot readFrom(DataInput in) throws IOException {
        byte[] encoded = new byte[in.readInt()];
        in.readFully(encoded);
        try {
            Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
            histogram.setAutoResize(true);
            return new LatencySnapshot(histogram, in.readDouble(), in.readLong(), in.readLong());
        } catch (DataFormatException e) {
            throw new IOException("not a histogram in HdrHistogram's compressed V2 encoding", e);
        }
    }
}
