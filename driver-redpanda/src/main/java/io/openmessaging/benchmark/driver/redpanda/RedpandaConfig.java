package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a Redpanda driver file: those of a Kafka driver file, and the addresses where Redpanda identifies itself.
 *
 * @param replicationFactor as in {@link KafkaConfig}
 * @param topicConfig as in {@link KafkaConfig}; names that only Redpanda knows, such as {@code write.caching}, are
 *     allowed as well
 * @param commonConfig as in {@link KafkaConfig}
 * @param producerConfig as in {@link KafkaConfig}
 * @param consumerConfig as in {@link KafkaConfig}
 * @param reset as in {@link KafkaConfig}, without effect
 * @param existingTopics as in {@link KafkaConfig}
 * @param adminApi addresses of the Admin API, {@code http://host:port} of one or more nodes; by default, port 9644 on
 *     the hosts of {@code bootstrap.servers}
 * @param adminUser the user of the Admin API; null for none
 * @param adminPassword the password of that user
 * @param metricsUrl URL of the public metrics; null for {@code /public_metrics} of the node whose Admin API answers
 */
public record RedpandaConfig(
        @Range(from = "1", to = "32_767") @Nullable Integer replicationFactor,
        @Default("") String topicConfig,
        @Default("") String commonConfig,
        @Default("") String producerConfig,
        @Default("") String consumerConfig,
        boolean reset,
        @Default("[]") List<String> existingTopics,
        @Default("[]") List<String> adminApi,
        @Nullable String adminUser,
        @Nullable String adminPassword,
        @Nullable String metricsUrl)
        implements Checked {

    static final Address.Form URL = new Address.Form(
            "http://host:port or https://host:port", List.of("http", "https"), Address.Port.OPTIONAL, false, true);

    @Override
    public void check(Problems problems) {
        kafka().check(problems);
        adminApi.forEach(url -> problems.address("adminApi", url, URL));
        if (metricsUrl != null) {
            problems.address("metricsUrl", metricsUrl, URL);
        }
        problems.require(adminUser == null || adminPassword != null, "adminUser", "needs adminPassword", adminUser);
    }

    KafkaConfig kafka() {
        return new KafkaConfig(
                replicationFactor,
                topicConfig,
                commonConfig,
                producerConfig,
                consumerConfig,
                reset,
                GroupType.CONSUMER,
                existingTopics,
                null,
                null);
    }
}
