package io.openmessaging.benchmark.measure;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Latencies in the form that {@link LatencySnapshot#writeTo} writes: some hundred bytes instead of some ten thousand,
 * for data that is kept for each of many workers. Immutable.
 *
 * @param bytes read-only, from their position to their limit
 */
public record CompressedLatencies(ByteBuffer bytes) {

    /** No latencies. */
    public static final CompressedLatencies NONE = of(LatencySnapshot.empty());

    /** Compresses latencies. */
    public static CompressedLatencies of(LatencySnapshot latencies) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            latencies.writeTo(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return of(bytes.toByteArray());
    }

    private static CompressedLatencies of(byte[] bytes) {
        return new CompressedLatencies(ByteBuffer.wrap(bytes).asReadOnlyBuffer());
    }

    /** Returns the latencies. */
    public LatencySnapshot open() {
        try {
            return LatencySnapshot.readFrom(new DataInputStream(new ByteArrayInputStream(array())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the bytes in the form that {@link #readFrom} reads. */
    public void writeTo(DataOutput out) throws IOException {
        out.writeInt(bytes.remaining());
        out.write(array());
    }

    /** Reads what {@link #writeTo} has written. Does not check that the bytes can be opened. */
    public static CompressedLatencies readFrom(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return of(bytes);
    }

    private byte[] array() {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }
}
