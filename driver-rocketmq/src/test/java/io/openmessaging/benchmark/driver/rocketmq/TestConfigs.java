package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Problems;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configurations for tests, by their keys, as in a driver file. */
final class TestConfigs {

    private TestConfigs() {}

    /** All defaults. */
    static RocketMqConfig config() {
        return of(Map.of());
    }

    /** With some keys, the rest absent. */
    static RocketMqConfig of(Map<String, ?> keys) {
        Map<String, Object> left = new HashMap<>(keys);
        RecordComponent[] components = RocketMqConfig.class.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = value(components[i], left.remove(components[i].getName()));
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("not keys of the driver: " + left.keySet());
        }
        try {
            return (RocketMqConfig) RocketMqConfig.class.getDeclaredConstructors()[0].newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object value(RecordComponent component, @Nullable Object value) {
        return value == null && component.getType() == boolean.class ? Boolean.FALSE : value;
    }

    static List<String> problemsOf(RocketMqConfig config) {
        Problems problems = new Problems();
        config.check(problems);
        return problems.found().stream().map(Problems.Problem::toString).toList();
    }
}
