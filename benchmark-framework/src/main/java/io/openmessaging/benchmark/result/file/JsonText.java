package io.openmessaging.benchmark.result.file;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.openmessaging.benchmark.measure.Totals;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.DefaultPrettyPrinter.NopIndenter;
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
 * Formats the JSON of a result, or of a file made from results, for human readers: a line for each field, for each
 * entry of its objects, and for each object of a list. Deeper values, and every list of numbers, stay on one line.
 */
public final class JsonText {

    /** The number of decimals: for milliseconds, down to nanoseconds. */
    private static final int DECIMALS = 6;

    private static final String INDENT = "  ";
    private static final int LEVELS_OF_FIELDS = 2;
    private static final int LEVELS_OF_LISTS = 3;

    /** Writes records and reads them back; reading fails if one of their fields is missing. */
    static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, as(JsonText::decimal))
                    .addSerializer(double.class, as(JsonText::decimal)))
            .addMixIn(Totals.class, TotalsOfResult.class)
            .enable(
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private static final ObjectWriter ON_ONE_LINE = JsonMapper.shared()
            .writer()
            .with(new DefaultPrettyPrinter(Separators.createDefaultInstance()
                            .withObjectNameValueSpacing(Spacing.AFTER)
                            .withObjectEntrySpacing(Spacing.AFTER)
                            .withArrayElementSpacing(Spacing.AFTER)
                            .withObjectEmptySeparator("")
                            .withArrayEmptySeparator(""))
                    .withArrayIndenter(NopIndenter.instance())
                    .withObjectIndenter(NopIndenter.instance()))
            .with(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN);

    /** The audit has the duplicates. */
    @JsonIgnoreProperties({"duplicated", "impossible"})
    private interface TotalsOfResult {}

    private JsonText() {}

    /** Returns a serializer that converts values of a type to a form that the mapper knows. */
    static <T> ValueSerializer<T> as(Function<T, Object> form) {
        return new ValueSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator json, SerializationContext context) {
                json.writePOJO(form.apply(value));
            }
        };
    }

    /** Returns the text, with a line break at its end. */
    public static String of(ObjectNode root) {
        return text(root, 0) + '\n';
    }

    static ObjectNode tree(Fields fields) {
        return MAPPER.valueToTree(fields);
    }

    private static String text(JsonNode node, int level) {
        if (level < LEVELS_OF_FIELDS && node.isObject() && !node.isEmpty()) {
            return lines('{', node.propertyStream(), level, '}', field -> {
                JsonNode name = JsonNodeFactory.instance.stringNode(field.getKey());
                return onOneLine(name) + ": " + text(field.getValue(), level + 1);
            });
        }
        return level < LEVELS_OF_LISTS && node.isArray() && node.path(0).isContainer()
                ? lines('[', node.valueStream(), level, ']', JsonText::onOneLine)
                : onOneLine(node);
    }

    private static <T> String lines(char begin, Stream<T> of, int level, char end, Function<T, String> line) {
        String newLine = "\n" + INDENT.repeat(level);
        return of.map(line)
                .collect(Collectors.joining("," + newLine + INDENT, begin + newLine + INDENT, newLine + end));
    }

    private static String onOneLine(JsonNode node) {
        return ON_ONE_LINE.writeValueAsString(node);
    }

    /** Converts a record to an object with its components' names and with decimals as in {@link #decimal}. */
    public static ObjectNode tree(Record fields) {
        return MAPPER.valueToTree(fields);
    }

    /** Returns a decimal; null for null. */
    public static @Nullable JsonNode decimalOrNull(@Nullable Double value) {
        return value == null ? null : decimal(value);
    }

    /**
     * Formats a number that is a decimal by nature: always with a decimal point, never with an exponent, to six
     * decimals. Returns a JSON null for infinity and NaN, which JSON does not support.
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
