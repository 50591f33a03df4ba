package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Problems;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Configurations as the framework makes them: from the keys that are there. */
final class Configs {

    private Configs() {}

    /** The record with these components; the others are absent. An unknown key is an error. */
    static RedisConfig of(Map<String, ?> keys) {
        return record(RedisConfig.class, keys);
    }

    static <R extends Record> R record(Class<R> type, Map<String, ?> keys) {
        RecordComponent[] components = type.getRecordComponents();
        Set<String> names =
                Arrays.stream(components).map(RecordComponent::getName).collect(Collectors.toSet());
        if (!names.containsAll(keys.keySet())) {
            throw new IllegalArgumentException("keys " + keys.keySet() + " are not among " + names);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        @Nullable
        Object[] values = Arrays.stream(components)
                .map(component -> keys.get(component.getName()))
                .toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no record can be made of " + keys, e);
        }
    }

    static List<String> problemsOf(RedisConfig config) {
        Problems problems = new Problems();
        config.check(problems);
        return problems.found().stream().map(Object::toString).toList();
    }
}
