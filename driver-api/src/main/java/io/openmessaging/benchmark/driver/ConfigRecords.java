package io.openmessaging.benchmark.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies configuration records with some values changed, for {@link BenchmarkDriver#withAddresses}, and shows them to
 * users. The records must be public; each copy goes through the record's constructor.
 */
public final class ConfigRecords {

    private ConfigRecords() {}

    /**
     * Returns a copy of the record with some values changed.
     *
     * @param changes new values by the names of their components
     * @throws IllegalArgumentException if there is no such component, or the constructor rejects a value
     */
    public static <R extends Record> R with(R record, Map<String, ?> changes) {
        @SuppressWarnings("unchecked")
        Class<R> type = (Class<R>) record.getClass();
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] arguments = new Object[components.length];
        Set<String> unknown = new HashSet<>(changes.keySet());
        try {
            for (int i = 0; i < components.length; i++) {
                String name = components[i].getName();
                types[i] = components[i].getType();
                arguments[i] = unknown.remove(name)
                        ? changes.get(name)
                        : components[i].getAccessor().invoke(record);
            }
            if (!unknown.isEmpty()) {
                throw new IllegalArgumentException(type.getSimpleName() + " has no component " + unknown);
            }
            return type.getConstructor(types).newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(type.getSimpleName() + " does not take " + changes, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type.getSimpleName() + " must be a public record", e);
        }
    }

    /**
     * Returns a value as a user writes it in YAML, on one line: a record as its keys that are set, such as {@code
     * {producers: 4}}. A record with a text of its own, which may hide a secret, is shown by that text.
     */
    static String inYaml(Object value) {
        if (value instanceof Duration time) {
            return time.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
        }
        String text = value.toString();
        return value instanceof Record keys && text.startsWith(keys.getClass().getSimpleName() + "[")
                ? keysInYaml(keys)
                : text;
    }

    private static String keysInYaml(Record record) {
        List<String> entries = new ArrayList<>();
        try {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                Object value = component.getAccessor().invoke(record);
                if (value != null) {
                    entries.add(component.getName() + ": " + inYaml(value));
                }
            }
            return "{" + String.join(", ", entries) + "}";
        } catch (ReflectiveOperationException e) {
            return record.toString();
        }
    }
}
