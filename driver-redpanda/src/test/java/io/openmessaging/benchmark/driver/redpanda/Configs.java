package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configurations for tests. */
final class Configs {

    private Configs() {}

    /** Returns a configuration that only sets the addresses of an Admin API. */
    static RedpandaConfig withAdminApi(List<String> urls) {
        return with("", urls, null, null, null);
    }

    static RedpandaConfig with(
            String topicConfig,
            List<String> adminApi,
            @Nullable String adminUser,
            @Nullable String adminPassword,
            @Nullable String metricsUrl) {
        return new RedpandaConfig(
                1,
                topicConfig,
                "bootstrap.servers=127.0.0.1:1",
                "",
                "auto.offset.reset=earliest",
                false,
                List.of(),
                adminApi,
                adminUser,
                adminPassword,
                metricsUrl);
    }

    static List<String> problemsOf(RedpandaConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
