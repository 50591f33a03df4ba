package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Default;
import java.util.Map;

/**
 * The keys of a Pulsar driver file. Each part, and each key in it, may be left out.
 *
 * @param client where Pulsar is, how to log in, and what the topics are like
 * @param producer how messages are sent
 * @param consumer how messages are read
 */
public record PulsarConfig(
        @Default("{}") ClientConfig client,
        @Default("{}") ProducerConfig producer,
        @Default("{}") ConsumerConfig consumer) {

    /** The same with some keys of its first part changed. */
    PulsarConfig withClient(Map<String, ?> changes) {
        return new PulsarConfig(ConfigRecords.with(client, changes), producer, consumer);
    }
}
