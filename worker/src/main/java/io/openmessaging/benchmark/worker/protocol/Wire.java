package io.openmessaging.benchmark.worker.protocol;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.openmessaging.benchmark.audit.SequenceSet;
import io.openmessaging.benchmark.availability.SlotCounts;
import io.openmessaging.benchmark.measure.CompressedLatencies;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Encodes requests and answers as JSON that follows the records; large values (histograms, sets of sequence numbers)
 * are embedded in their own compressed form.
 */
public final class Wire {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(module())
            // Components only: a method of a record, such as Totals.inFlight(), is not part of the message.
            .changeDefaultVisibility(checker -> checker.withGetterVisibility(Visibility.NONE)
                    .withIsGetterVisibility(Visibility.NONE)
                    .withFieldVisibility(Visibility.ANY))
            .build();

    /** Size of a set of 512 million paths, more than a run can have. Checked before memory is allocated. */
    private static final int MAX_BIT_SET_BYTES = 1 << 26;

    private Wire() {}

    private static SimpleModule module() {
        SimpleModule module = new SimpleModule();
        add(module, LatencySnapshot.class, LatencySnapshot::writeTo, LatencySnapshot::readFrom);
        add(module, CompressedLatencies.class, CompressedLatencies::writeTo, CompressedLatencies::readFrom);
        add(module, SequenceSet.class, SequenceSet::writeTo, SequenceSet::readFrom);
        add(module, SlotCounts.class, SlotCounts::writeTo, SlotCounts::readFrom);
        add(module, BitSet.class, Wire::write, Wire::readBitSet);
        return module;
    }

    private static void write(BitSet bits, DataOutput out) throws IOException {
        byte[] bytes = bits.toByteArray();
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static BitSet readBitSet(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_BIT_SET_BYTES) {
            throw new IOException("a set of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return BitSet.valueOf(bytes);
    }

    /** Encodes a request or an answer. */
    public static byte[] write(@Nullable Object message) {
        return MAPPER.writeValueAsBytes(message);
    }

    /**
     * Decodes a message; the result equals the object that was encoded.
     *
     * @throws IllegalArgumentException if the bytes are something else; the message tells the position but no content,
     *     which may be a secret
     */
    public static <T> T read(byte[] bytes, Class<T> type) {
        try {
            return MAPPER.readValue(bytes, type);
        } catch (JacksonException | UncheckedIOException e) {
            String where = e instanceof DatabindException inside ? " at " + inside.getPathReference() : "";
            throw new IllegalArgumentException(bytes.length + " bytes that are not a " + type.getSimpleName() + where);
        }
    }

    private interface Writer<T> {
        void write(T value, DataOutput out) throws IOException;
    }

    private interface FieldReader<T> {
        T read(DataInput in) throws IOException;
    }

    private static <T> void add(SimpleModule module, Class<T> type, Writer<T> writer, FieldReader<T> reader) {
        module.addSerializer(type, new ValueSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator generator, SerializationContext context) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try {
                    writer.write(value, new DataOutputStream(bytes));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                generator.writeBinary(bytes.toByteArray());
            }
        });
        module.addDeserializer(type, new ValueDeserializer<>() {
            @Override
            public T deserialize(JsonParser parser, DeserializationContext context) {
                try {
                    return reader.read(new DataInputStream(new ByteArrayInputStream(parser.getBinaryValue())));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }
}
