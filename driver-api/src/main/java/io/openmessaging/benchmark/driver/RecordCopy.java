package io.openmessaging.benchmark.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Copies of configuration records that differ in some values, for {@link BenchmarkDriver#withAddresses}. */
public final class RecordCopy {

    private RecordCopy() {}

    /**
     * The same record with some values changed; goes through its constructor.
     *
     * @param record of a public class
     * @param changes new values by the names of their components
     * @throws IllegalArgumentException if there is no such component, or the constructor takes no such value
     */
    public static <R extends Record> R with(R record, Map<String, ?> changes) {
        @SuppressWarnings("unchecked")
        Class<R> type = (Class<R>) record.getClass();
        RecordComponent[] components = type.getRecordComponents();
        Set<String> unknown = new HashSet<>(changes.keySet());
        try {
            @Nullable Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                String name = components[i].getName();
                values[i] = unknown.remove(name)
                        ? changes.get(name)
                        : components[i].getAccessor().invoke(record);
            }
            if (!unknown.isEmpty()) {
                throw new IllegalArgumentException(type.getSimpleName() + " has no component " + unknown);
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return type.getConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(type.getSimpleName() + " does not take " + changes, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type.getSimpleName() + " must be a public record", e);
        }
    }
}
