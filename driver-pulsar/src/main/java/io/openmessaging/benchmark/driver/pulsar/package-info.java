/**
 * Apache Pulsar through {@code pulsar-client} and {@code pulsar-client-admin}.
 *
 * <p>{@link io.openmessaging.benchmark.driver.pulsar.PulsarBenchmarkDriver} is the entry: it binds {@link
 * io.openmessaging.benchmark.driver.pulsar.PulsarConfig} and opens a connection, which holds one client for messages and
 * one for administration. Topics lie in a {@linkplain io.openmessaging.benchmark.driver.pulsar.RunNamespace namespace of
 * the run's own}, which carries the policies that the driver file asks for.
 */
package io.openmessaging.benchmark.driver.pulsar;
