package io.openmessaging.benchmark.driver.rabbitmq.config;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Configurations for tests, built from the keys that matter; the others have their defaults. */
public final class TestConfigs {

    /** An address where nothing listens. */
    public static final String UNREACHABLE = "amqp://127.0.0.1:1";

    private TestConfigs() {}

    /** Returns a configuration with these keys, each followed by its value. */
    public static RabbitMqConfig of(Object... keysAndValues) {
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        values.putIfAbsent("amqpUris", List.of(UNREACHABLE));
        return DriverConfigs.bind(RabbitMqConfig.class, values);
    }

    /** Returns the problems of a configuration, in sentences. */
    public static List<String> problemsOf(RabbitMqConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
