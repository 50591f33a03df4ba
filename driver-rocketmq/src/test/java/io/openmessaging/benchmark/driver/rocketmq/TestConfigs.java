package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Configurations for tests, by their keys, as in a driver file. */
final class TestConfigs {

    /** For tests that take a failed send for a defect: a busy machine may take longer than RocketMQ's 3 s. */
    static final Duration LONG_TIMEOUT = Duration.ofSeconds(20);

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
