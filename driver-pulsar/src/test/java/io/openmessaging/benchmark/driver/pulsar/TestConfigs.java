package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.pulsar.ClientConfig.PulsarLogin;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.List;
import java.util.Map;

/** Configurations for tests, written as in a driver file. */
final class TestConfigs {

    private TestConfigs() {}

    /** Binds the driver's part of a file strictly; absent keys have the defaults of the records. */
    static PulsarConfig of(String yaml) {
        return DriverConfigs.bind(PulsarConfig.class, yaml);
    }

    static PulsarConfig withLogin(PulsarConfig config, PulsarLogin login) {
        return config.withClient(Map.of("authentication", login));
    }

    /** Returns the problems of a configuration, in sentences. */
    static List<String> problemsOf(PulsarConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
