package io.openmessaging.benchmark.driver;

/**
 * How many nodes a configuration needs.
 *
 * @param nodes at least
 * @param because of which key, with its value, such as {@code replicationFactor: 3}
 */
public record NodeNeeds(int nodes, String because) {}
