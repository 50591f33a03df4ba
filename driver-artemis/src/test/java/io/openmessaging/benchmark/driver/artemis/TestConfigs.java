package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.List;
import java.util.Map;

/** Configurations for tests. */
final class TestConfigs {

    private TestConfigs() {}

    /** Returns a configuration with all defaults. */
    static ArtemisConfig defaults() {
        return with(Map.of());
    }

    /** Returns a configuration with the defaults, except for one key. */
    static ArtemisConfig with(String key, Object value) {
        return with(Map.of(key, value));
    }

    /** Returns a configuration with the defaults, except for some keys. */
    static ArtemisConfig with(Map<String, ?> keys) {
        return DriverConfigs.bind(ArtemisConfig.class, keys);
    }

    /** Returns the problems of a configuration, in sentences. */
    static List<String> problemsOf(ArtemisConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
