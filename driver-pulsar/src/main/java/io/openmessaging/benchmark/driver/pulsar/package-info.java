/**
 * Apache Pulsar through {@code pulsar-client} and {@code pulsar-client-admin}.
 *
 * <p>{@link io.openmessaging.benchmark.driver.pulsar.PulsarBenchmarkDriver} is the entry point: it binds
 * {@link io.openmessaging.benchmark.driver.pulsar.PulsarConfig} and opens a connection, which holds one client for
 * messages and one for administration. Topics are in a {@linkplain
 * io.openmessaging.benchmark.driver.pulsar.RunNamespace namespace of the run}, which has the policies that the driver
 * file asks for.
 */
package io.openmessaging.benchmark.driver.pulsar;
