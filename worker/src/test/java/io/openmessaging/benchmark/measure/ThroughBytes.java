package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/** The way of an object to another process and back: as bytes. */
public final class ThroughBytes {

    /** How an object writes itself. */
    public interface Writer {
        void writeTo(DataOutput out) throws IOException;
    }

    /** How it is read. */
    public interface Reader<T> {
        T readFrom(DataInput in) throws IOException;
    }

    private ThroughBytes() {}

    /** What comes of an object on the way; no byte must be left over. */
    public static <T> T sent(Writer writer, Reader<T> reader) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.writeTo(new DataOutputStream(bytes));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        T read = reader.readFrom(in);
        assertThat(in.read()).as("a byte behind the end").isEqualTo(-1);
        return read;
    }
}
