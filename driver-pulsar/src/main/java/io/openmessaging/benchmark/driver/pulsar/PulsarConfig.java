package io.openmessaging.benchmark.driver.pulsar;

import static java.util.Objects.requireNonNullElseGet;

import io.openmessaging.benchmark.driver.ConfigRecords;
import java.util.Map;

/**
 * The keys of a Pulsar driver file. Each part, and each key in it, may be left out.
 *
 * @param client where Pulsar is, how to log in, and what the topics are like
 * @param producer how messages are sent
 * @param consumer how messages are read
 */
public record PulsarConfig(ClientConfig client, ProducerConfig producer, ConsumerConfig consumer) {

    /** A part that is absent has its defaults. */
    public PulsarConfig {
        client = requireNonNullElseGet(client, () -> ConfigRecords.ofDefaults(ClientConfig.class));
        producer = requireNonNullElseGet(producer, () -> ConfigRecords.ofDefaults(ProducerConfig.class));
        consumer = requireNonNullElseGet(consumer, () -> ConfigRecords.ofDefaults(ConsumerConfig.class));
    }

    /** The same with some keys of its first part changed. */
    PulsarConfig withClient(Map<String, ?> changes) {
        return new PulsarConfig(ConfigRecords.with(client, changes), producer, consumer);
    }
}
