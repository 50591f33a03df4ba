package io.openmessaging.benchmark.driver;

/**
 * A producer to be created.
 *
 * @param id unique within the run, from 0
 * @param topic the topic it publishes to, created before by {@link DriverConnection#createTopics}, possibly on another
 *     worker
 */
public record ProducerSpec(int id, TopicSpec topic) {}
