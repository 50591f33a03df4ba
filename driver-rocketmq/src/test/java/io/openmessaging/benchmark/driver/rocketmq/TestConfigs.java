package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.time.Duration;
import java.util.HashMap;
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

    /** The same for tests that take a failed send for a defect: a busy machine may need more than RocketMQ's 3 s for it. */
    static RocketMqConfig patient(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("sendTimeout", Duration.ofSeconds(20));
        return of(all);
    }

    static List<String> problemsOf(RocketMqConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
