package io.openmessaging.benchmark.driver;

import java.util.Map;

/**
 * A producer to be created.
 *
 * @param id unique within the run, from 0
 * @param topic topic that it publishes to, created before by {@link DriverConnection#createTopics}, possibly on
 *     another worker
 * @param headers headers (properties, application properties, fields) of every message that it sends, in this order;
 *     names consist of letters, digits and {@code -}, values of printable ASCII. Not empty only if the driver
 *     {@linkplain BenchmarkDriver#carriesHeaders carries headers}
 */
public record ProducerSpec(int id, TopicSpec topic, Map<String, String> headers) {

    /** A producer whose messages have no headers. */
    public ProducerSpec(int id, TopicSpec topic) {
        this(id, topic, Map.of());
    }
}
