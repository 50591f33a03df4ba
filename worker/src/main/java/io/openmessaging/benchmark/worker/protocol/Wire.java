package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import java.util.BitSet;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import org.jspecify.annotations.Nullable;

/** Requests and answers as bytes: JSON, in which what is large (histograms, sets of sequence numbers) is in Base64. */
final class Wire {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(new Bytes<>(LatencySnapshot.class, LatencySnapshot::toBytes))
                    .addDeserializer(LatencySnapshot.class, new FromBytes<>(LatencySnapshot.class, LatencySnapshot::ofBytes))
                    .addSerializer(new Bytes<>(BitSet.class, BitSet::toByteArray))
                    .addDeserializer(BitSet.class, new FromBytes<>(BitSet.class, BitSet::valueOf)))
            .build();

    private Wire() {}

    /** What a user is told of an error. */
    static String sentence(Throwable error) {
        return error.getMessage() == null ? error.toString() : error.getMessage();
    }

    static byte[] write(@Nullable Object message) {
        return MAPPER.writeValueAsBytes(message);
    }

    static <T> T read(byte[] bytes, Class<T> type) {
        return MAPPER.readValue(bytes, type);
    }

    private interface Writer<T> {
        byte[] write(T value);
    }

    private interface Reader<T> {
        T read(byte[] bytes);
    }

    private static final class Bytes<T> extends StdSerializer<T> {

        private final Writer<T> writer;

        Bytes(Class<T> type, Writer<T> writer) {
            super(type);
            this.writer = writer;
        }

        @Override
        public void serialize(T value, JsonGenerator generator, SerializationContext context) {
            generator.writeBinary(writer.write(value));
        }
    }

    private static final class FromBytes<T> extends StdDeserializer<T> {

        private final Reader<T> reader;

        FromBytes(Class<T> type, Reader<T> reader) {
            super(type);
            this.reader = reader;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) {
            return reader.read(parser.getBinaryValue());
        }
    }
}
