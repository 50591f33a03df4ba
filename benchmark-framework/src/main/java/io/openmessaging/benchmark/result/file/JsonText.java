package io.openmessaging.benchmark.result.file;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.core.util.Separators.Spacing;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lays out the JSON of a result, or of what is made of results, so that a person finds his way: a line for each field, for each entry of the objects in it,
 * and for each object of a list. What is deeper, and every list of numbers, stays on its line.
 */
public final class JsonText {

    /** Decimals behind the point: of a millisecond, nanoseconds. */
    private static final int DECIMALS = 6;

    private static final String INDENT = "  ";
    private static final int LEVELS_OF_FIELDS = 2;
    private static final int LEVELS_OF_LISTS = 3;
    /** Writes records and reads them again: then none of their fields may be missing. */
    static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new DecimalSerializer())
                    .addSerializer(double.class, new DecimalSerializer()))
            .enable(
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private static final class DecimalSerializer extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            json.writeTree(decimal(value));
        }
    }

    private static final ObjectWriter ON_ONE_LINE = onOneLine();

    private JsonText() {}

    private static ObjectWriter onOneLine() {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                .withObjectNameValueSpacing(Spacing.AFTER)
                .withObjectEntrySpacing(Spacing.AFTER)
                .withArrayElementSpacing(Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
        printer.indentArraysWith(DefaultPrettyPrinter.NopIndenter.instance());
        printer.indentObjectsWith(DefaultPrettyPrinter.NopIndenter.instance());
        return JsonMapper.builder()
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .build()
                .writer()
                .with(printer);
    }

    /** The text, its last line ended. */
    public static String of(ObjectNode root) {
        StringBuilder text = new StringBuilder();
        append(text, root, 0);
        return text.append('\n').toString();
    }

    private static void append(StringBuilder text, JsonNode node, int level) {
        if (level < LEVELS_OF_FIELDS && node.isObject() && !node.isEmpty()) {
            String separator = "{";
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                text.append(separator).append('\n').append(INDENT.repeat(level + 1));
                text.append(onOneLine(JsonNodeFactory.instance.stringNode(field.getKey())))
                        .append(": ");
                append(text, field.getValue(), level + 1);
                separator = ",";
            }
            text.append('\n').append(INDENT.repeat(level)).append('}');
        } else if (level < LEVELS_OF_LISTS && node.isArray() && node.path(0).isContainer()) {
            String separator = "[";
            for (JsonNode element : node) {
                text.append(separator).append('\n').append(INDENT.repeat(level + 1));
                text.append(onOneLine(element));
                separator = ",";
            }
            text.append('\n').append(INDENT.repeat(level)).append(']');
        } else {
            text.append(onOneLine(node));
        }
    }

    private static String onOneLine(JsonNode node) {
        return ON_ONE_LINE.writeValueAsString(node);
    }

    /** A record as an object with its components' names, decimals as {@link #decimal} has them. */
    public static ObjectNode tree(Record fields) {
        return MAPPER.valueToTree(fields);
    }

    /** A decimal, or nothing where there is none. */
    public static @Nullable JsonNode decimalOrNull(@Nullable Double value) {
        return value == null ? null : decimal(value);
    }

    /**
     * A number that is a decimal by nature: always with a point, never with an exponent, to six decimals. JSON knows no
     * infinity and no NaN: these give null.
     */
    public static JsonNode decimal(double value) {
        if (!Double.isFinite(value)) {
            return JsonNodeFactory.instance.nullNode();
        }
        BigDecimal decimal = BigDecimal.valueOf(value)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        return JsonNodeFactory.instance.numberNode(decimal.scale() < 1 ? decimal.setScale(1) : decimal);
    }
}
