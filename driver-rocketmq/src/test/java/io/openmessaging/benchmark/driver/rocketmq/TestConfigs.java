package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.List;
import java.util.Map;

/** Configurations for tests, by their keys, as in a driver file. */
final class TestConfigs {

    private TestConfigs() {}

    /** All defaults. */
    static RocketMqConfig config() {
        return of(Map.of());
    }

    /** With some keys, the rest absent. */
    static RocketMqConfig of(Map<String, ?> keys) {
        return DriverConfigs.bind(RocketMqConfig.class, keys);
    }

    static List<String> problemsOf(RocketMqConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
