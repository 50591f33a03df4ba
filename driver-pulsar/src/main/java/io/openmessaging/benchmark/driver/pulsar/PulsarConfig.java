package io.openmessaging.benchmark.driver.pulsar;

import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.RecordCopy;
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
        client = requireNonNullElse(client, ClientConfig.DEFAULTS);
        producer = requireNonNullElse(producer, ProducerConfig.DEFAULTS);
        consumer = requireNonNullElse(consumer, ConsumerConfig.DEFAULTS);
    }

    /** The same with some keys of its first part changed. */
    PulsarConfig withClient(Map<String, ?> changes) {
        return new PulsarConfig(RecordCopy.with(client, changes), producer, consumer);
    }
}
