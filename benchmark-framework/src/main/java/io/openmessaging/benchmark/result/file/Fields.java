package io.openmessaging.benchmark.result.file;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object in a result, in order. Values are texts, numbers, lists, maps, records and other fields.
 * Unknown values are null, and decimals are written as in {@link JsonText#decimal}.
 */
final class Fields {

    @JsonValue
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    Fields add(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    Fields add(String name, OptionalDouble value) {
        return add(name, value.isPresent() ? value.getAsDouble() : null);
    }

    /** Adds a field derived from an object; null if the object is null. */
    <T> Fields add(String name, @Nullable T of, Function<T, ? extends @Nullable Object> value) {
        return add(name, of == null ? null : value.apply(of));
    }

    /** Adds a list with a value for each element. */
    <T extends @Nullable Object> Fields addEach(
            String name, List<T> of, Function<? super T, ? extends @Nullable Object> value) {
        return add(name, of.stream().map(value).toList());
    }

    /** Adds a field for each component of a record. */
    Fields addAll(Record components) {
        JsonText.tree(components).forEachEntry(this::add);
        return this;
    }
}
