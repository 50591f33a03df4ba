package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Problems;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configurations to test with. */
final class TestConfigs {

    private TestConfigs() {}

    /** All defaults. */
    static ArtemisConfig defaults() {
        return with(Map.of());
    }

    /** Defaults but for one key. */
    static ArtemisConfig with(String key, Object value) {
        return with(Map.of(key, value));
    }

    /** Defaults but for some keys, made as the framework makes a record: by its constructor, with null for the rest. */
    static ArtemisConfig with(Map<String, ?> keys) {
        Map<String, Object> left = new HashMap<>(keys);
        var components = ArtemisConfig.class.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = left.remove(components[i].getName());
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("no such keys: " + left.keySet());
        }
        try {
            return (ArtemisConfig) ArtemisConfig.class.getConstructors()[0].newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is wrong with a configuration, in sentences. */
    static List<String> problemsOf(ArtemisConfig config) {
        Problems problems = new Problems();
        config.check(problems);
        return problems.found().stream().map(Object::toString).toList();
    }
}
