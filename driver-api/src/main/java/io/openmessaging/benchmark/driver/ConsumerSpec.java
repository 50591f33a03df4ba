package io.openmessaging.benchmark.driver;

/**
 * A consumer to be created.
 *
 * @param id unique within the run, from 0
 * @param topic topic that it reads
 * @param subscription the subscription (consumer group, durable queue) it belongs to; consumers of the same topic and
 *     subscription share the messages
 * @param listener receives every message
 */
public record ConsumerSpec(int id, TopicSpec topic, String subscription, MessageListener listener) {}
