package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.List;
import java.util.Map;

/** Configurations created as the framework does, from the keys that are present. */
final class Configs {

    private Configs() {}

    /** Returns the record with these components; the others are absent. An unknown key is an error. */
    static RedisConfig of(Map<String, ?> keys) {
        return record(RedisConfig.class, keys);
    }

    static <R extends Record> R record(Class<R> type, Map<String, ?> keys) {
        return DriverConfigs.bind(type, keys);
    }

    static List<String> problemsOf(RedisConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
