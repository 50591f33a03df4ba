package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.List;
import java.util.Map;

/** Configurations created as the framework does, from the keys that are present. */
final class Configs {

    private Configs() {}

    /** Returns the record with these components; the others are absent. An unknown key is an error. */
    static NatsConfig of(Map<String, ?> keys) {
        return DriverConfigs.bind(NatsConfig.class, keys);
    }

    static List<String> problemsOf(NatsConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
