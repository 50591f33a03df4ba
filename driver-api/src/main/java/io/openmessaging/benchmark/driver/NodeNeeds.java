package io.openmessaging.benchmark.driver;

/**
 * The number of nodes that a configuration needs.
 *
 * @param nodes minimum number
 * @param because key that requires them, with its value, such as {@code replicationFactor: 3}
 */
public record NodeNeeds(int nodes, String because) {}
