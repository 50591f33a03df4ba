package io.openmessaging.benchmark.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.DataFormatException;
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
        return sum(List.of(this, other));
    }

    /** All together; of a single one, that itself. */
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

    /** How many latencies. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** The figures of a result. */
    public LatencySummary summary() {
        return LatencySummary.of(this);
    }

    /** Writes it in a binary form, which {@link #readFrom} reads: the histogram in HdrHistogram's compressed V2 encoding. */
    public void writeTo(DataOutput out) throws IOException {
        // Of a copy: a histogram keeps the buffer, as large as itself, that it needs for it.
        Histogram copy = histogram.copy();
        ByteBuffer buffer = ByteBuffer.allocate(copy.getNeededByteBufferCapacity());
        int length = copy.encodeIntoCompressedByteBuffer(buffer);
        out.writeInt(length);
        out.write(buffer.array(), 0, length);
        out.writeDouble(sumNs);
        out.writeLong(negativeCount);
        out.writeLong(saturatedCount);
    }

    /** Reads what {@link #writeTo} has written; equal to what that was. */
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
