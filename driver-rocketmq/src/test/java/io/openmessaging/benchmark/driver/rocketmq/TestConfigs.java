package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import java.util.Map;

/** Configurations for tests, by their keys, as in a driver file. */
final class TestConfigs {

    private TestConfigs() {}

    /** Returns a configuration with all defaults. */
    static RocketMqConfig config() {
        return of(Map.of());
    }

    /** Returns a configuration with these keys; the others are absent. */
    static RocketMqConfig of(Map<String, ?> keys) {
        return DriverConfigs.bind(RocketMqConfig.class, keys);
    }

    /**
     * Returns a configuration for a running broker: on a busy machine, a request may take longer than RocketMQ's 3 s.
     */
    static RocketMqConfig patient(Map<String, ?> keys) {
        return patient(of(keys));
    }

    /** Returns the same configuration, but requests may take longer. */
    static RocketMqConfig patient(RocketMqConfig config) {
        return ConfigRecords.with(config, Map.of("sendTimeout", Patience.LIMIT));
    }

    static List<String> problemsOf(RocketMqConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
