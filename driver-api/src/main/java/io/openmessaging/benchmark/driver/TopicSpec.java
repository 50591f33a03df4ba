package io.openmessaging.benchmark.driver;

/**
 * A topic to be created.
 *
 * @param name unique to the run; letters, digits, {@code -} and {@code _}
 * @param partitions how many ordered parts the topic is to have, at least 1
 */
public record TopicSpec(String name, int partitions) {}
