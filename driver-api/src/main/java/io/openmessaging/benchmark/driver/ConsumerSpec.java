package io.openmessaging.benchmark.driver;

/**
 * A consumer to be created.
 *
 * @param id unique within the run, from 0
 * @param topic the topic it reads
 * @param subscription the subscription (consumer group, durable queue) it belongs to; consumers of the same topic and
 *     subscription share the messages
 * @param listener gets every message
 */
public record ConsumerSpec(int id, TopicSpec topic, String subscription, MessageListener listener) {}
