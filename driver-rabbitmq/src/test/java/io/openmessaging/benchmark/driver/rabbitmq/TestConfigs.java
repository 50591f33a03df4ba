package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.Problems;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configurations to test with, built from the keys that matter; the others have their defaults. */
final class TestConfigs {

    /** Where nothing listens. */
    static final String UNREACHABLE = "amqp://127.0.0.1:1";

    private TestConfigs() {}

    /** A configuration of these keys, given in turn with their values. */
    static RabbitMqConfig of(Object... keysAndValues) {
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        values.putIfAbsent("amqpUris", List.of(UNREACHABLE));
        return from(values);
    }

    /** A configuration of values that have the types of their components. */
    static RabbitMqConfig from(Map<String, Object> values) {
        List<@Nullable Object> arguments = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (RecordComponent component : RabbitMqConfig.class.getRecordComponents()) {
            known.add(component.getName());
            Object absent = component.getType() == boolean.class ? Boolean.FALSE : null;
            arguments.add(values.getOrDefault(component.getName(), absent));
        }
        if (!known.containsAll(values.keySet())) {
            throw new AssertionError("No such keys: " + values.keySet());
        }
        try {
            return (RabbitMqConfig) RabbitMqConfig.class.getConstructors()[0].newInstance(arguments.toArray());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** What is wrong with a configuration, in sentences. */
    static List<String> problemsOf(RabbitMqConfig config) {
        Problems problems = new Problems();
        config.check(problems);
        return problems.found().stream().map(Object::toString).toList();
    }
}
