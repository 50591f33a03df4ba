package io.openmessaging.benchmark.driver.pulsar;

import org.jspecify.annotations.Nullable;

/**
 * The keys of a Pulsar driver file. Each part, and each key in it, may be left out.
 *
 * @param client where Pulsar is, how to log in, and what the topics are like
 * @param producer how messages are sent
 * @param consumer how messages are read
 */
public record PulsarConfig(ClientConfig client, ProducerConfig producer, ConsumerConfig consumer) {

    /** A part that is absent has its defaults. */
    public PulsarConfig(
            @Nullable ClientConfig client, @Nullable ProducerConfig producer, @Nullable ConsumerConfig consumer) {
        this.client = client == null ? ClientConfig.DEFAULTS : client;
        this.producer = producer == null ? ProducerConfig.DEFAULTS : producer;
        this.consumer = consumer == null ? ConsumerConfig.DEFAULTS : consumer;
    }

    /** The same with another first part. */
    PulsarConfig withClient(ClientConfig changed) {
        return new PulsarConfig(changed, producer, consumer);
    }
}
