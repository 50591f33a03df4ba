package io.openmessaging.benchmark.binding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A value in a YAML file. Immutable. {@code toString} returns the value as shown in messages. */
public sealed interface YamlNode {

    /** Keys and values, in the order of the file. */
    record Mapping(Map<String, YamlNode> entries) implements YamlNode {

        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        public static Mapping empty() {
            return new Mapping(Map.of());
        }

        /** Creates a mapping whose values are texts. */
        public static Mapping of(Map<String, String> texts) {
            Map<String, YamlNode> entries = new LinkedHashMap<>();
            texts.forEach((key, text) -> entries.put(key, Scalar.of(text)));
            return new Mapping(entries);
        }

        /** Returns this mapping with the given keys and values added; they replace those of equal keys. */
        public Mapping with(Mapping upper) {
            Map<String, YamlNode> both = new LinkedHashMap<>(entries);
            both.putAll(upper.entries);
            return new Mapping(both);
        }

        /** Returns this mapping without one key. */
        public Mapping without(String key) {
            Map<String, YamlNode> others = new LinkedHashMap<>(entries);
            others.remove(key);
            return new Mapping(others);
        }

        @Override
        public Map<String, @Nullable Object> toObject() {
            Map<String, @Nullable Object> objects = new LinkedHashMap<>();
            entries.forEach((key, value) -> objects.put(key, value.toObject()));
            return objects;
        }

        @Override
        public String toYaml() {
            return entries.entrySet().stream()
                    .map(entry -> Scalar.of(entry.getKey()).toYaml() + ": "
                            + entry.getValue().toYaml())
                    .collect(Collectors.joining(", ", "{", "}"));
        }

        @Override
        public String toString() {
            return "a mapping";
        }
    }

    record Sequence(List<YamlNode> elements) implements YamlNode {

        public Sequence {
            elements = List.copyOf(elements);
        }

        @Override
        public List<@Nullable Object> toObject() {
            List<@Nullable Object> objects = new ArrayList<>();
            elements.forEach(element -> objects.add(element.toObject()));
            return objects;
        }

        @Override
        public String toYaml() {
            return elements.stream().map(YamlNode::toYaml).collect(Collectors.joining(", ", "[", "]"));
        }

        @Override
        public String toString() {
            return "a list";
        }
    }

    /**
     * A single value.
     *
     * @param text text as written in the file, without quotes
     * @param value value that YAML gives to an unquoted text: {@code Boolean}, {@code Long}, {@code Double} or
     *     {@code String}
     */
    record Scalar(String text, Object value) implements YamlNode {

        private static final int SHOWN_CHARACTERS = 60;

        /** Creates a value that is a text. */
        public static Scalar of(String text) {
            return new Scalar(text, text);
        }

        @Override
        public Object toObject() {
            return value;
        }

        /** Puts a text in quotes, even if it looks like a number. */
        @Override
        public String toYaml() {
            return value instanceof String ? '"' + escaped() + '"' : text;
        }

        private String escaped() {
            StringBuilder escaped = new StringBuilder();
            text.codePoints().forEach(c -> {
                if (c == '\n') {
                    escaped.append("\\n");
                } else if (c == '\r') {
                    escaped.append("\\r");
                } else if (c == '"' || c == '\\') {
                    escaped.append('\\').append((char) c);
                } else if (c >= ' ' && c <= '~' || Character.isLetterOrDigit(c) || c > Character.MAX_VALUE) {
                    escaped.appendCodePoint(c);
                } else {
                    escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
                }
            });
            return escaped.toString();
        }

        @Override
        public String toString() {
            if (!(value instanceof String)) {
                return text;
            }
            String line = text.strip().replace("\n", "\\n");
            return line.length() <= SHOWN_CHARACTERS
                    ? "'" + line + "'"
                    : "'" + line.substring(0, SHOWN_CHARACTERS) + "…'";
        }
    }

    /** A key without a value. */
    record Empty() implements YamlNode {

        @Override
        public @Nullable Object toObject() {
            return null;
        }

        @Override
        public String toYaml() {
            return "null";
        }

        @Override
        public String toString() {
            return "nothing";
        }
    }

    /** Converts to plain maps, lists, strings, numbers, booleans and null, for a result file. */
    @Nullable
    Object toObject();

    /** Formats as one line of YAML, to be read by another process. */
    String toYaml();
}
