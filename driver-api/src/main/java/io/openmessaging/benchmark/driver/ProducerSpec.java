package io.openmessaging.benchmark.driver;

import java.util.Map;

/**
 * A producer to be created.
 *
 * @param id unique within the run, from 0
 * @param topic the topic it publishes to, created before by {@link DriverConnection#createTopics}, possibly on another
 *     worker
 * @param headers of every message that it sends, as headers (properties, application properties, fields) of the system,
 *     in this order; names are letters, digits and {@code -}, values printable ASCII. Not empty only if the driver {@linkplain
 *     BenchmarkDriver#carriesHeaders carries headers}
 */
public record ProducerSpec(int id, TopicSpec topic, Map<String, String> headers) {

    /** One whose messages have no headers. */
    public ProducerSpec(int id, TopicSpec topic) {
        this(id, topic, Map.of());
    }
}
