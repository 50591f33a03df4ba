package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.List;
import java.util.Map;

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

    /** Defaults but for some keys. */
    static ArtemisConfig with(Map<String, ?> keys) {
        return DriverConfigs.bind(ArtemisConfig.class, keys);
    }

    /** What is wrong with a configuration, in sentences. */
    static List<String> problemsOf(ArtemisConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
