package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import io.openmessaging.benchmark.driver.testkit.config.DriverConfigs;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configurations for tests. */
final class TestConfigs {

    private TestConfigs() {}

    /** Returns a configuration with an address where nothing listens. */
    static KafkaConfig unreachable() {
        return withCommon("bootstrap.servers=127.0.0.1:1");
    }

    static KafkaConfig withCommon(String common) {
        return new KafkaConfig(1, "", common, "", "", false);
    }

    static KafkaConfig withProducer(String producer) {
        return new KafkaConfig(1, "", "bootstrap.servers=127.0.0.1:1", producer, "", false);
    }

    static KafkaConfig withTransaction(String producer, Duration maxTime) {
        return new KafkaConfig(
                1,
                "",
                "bootstrap.servers=127.0.0.1:1",
                producer,
                "",
                false,
                GroupType.CONSUMER,
                List.of(),
                new KafkaTransaction(10, maxTime),
                null);
    }

    static KafkaConfig withConsumer(String consumer) {
        return new KafkaConfig(1, "", "bootstrap.servers=127.0.0.1:1", "", consumer, false);
    }

    static KafkaConfig withShareGroup(String common, String consumer) {
        return new KafkaConfig(
                1,
                "",
                "bootstrap.servers=127.0.0.1:1\n" + common,
                "",
                consumer,
                false,
                GroupType.SHARE,
                List.of(),
                null,
                null);
    }

    static KafkaConfig withExistingTopics(
            @Nullable Integer replicationFactor,
            String topic,
            String consumer,
            GroupType groupType,
            String... existing) {
        return new KafkaConfig(
                replicationFactor,
                topic,
                "bootstrap.servers=127.0.0.1:1",
                "",
                consumer,
                false,
                groupType,
                List.of(existing),
                null,
                null);
    }

    static KafkaConfig withTopic(int replicationFactor, String topic) {
        return new KafkaConfig(replicationFactor, topic, "bootstrap.servers=127.0.0.1:1", "", "", false);
    }

    /** Returns the problems of a configuration, in sentences. */
    static List<String> problemsOf(KafkaConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
