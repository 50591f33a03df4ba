/**
 * The driver SPI: everything that a messaging system has to provide to be measured.
 *
 * <p>A driver is one class, a {@link io.openmessaging.benchmark.driver.BenchmarkDriver}, named by {@code driverClass}
 * in a driver YAML file. It binds its part of that file to a record of its own and opens
 * {@linkplain io.openmessaging.benchmark.driver.DriverConnection connections}, which create topics,
 * {@linkplain io.openmessaging.benchmark.driver.BenchmarkProducer producers} and
 * {@linkplain io.openmessaging.benchmark.driver.BenchmarkConsumer consumers}.
 *
 * <p>A driver carries bytes and keys. It does not read clocks, count messages, or know what a payload contains: time
 * stamps, sequence numbers and every figure in a result belong to the framework, and are therefore the same for every
 * system.
 */
package io.openmessaging.benchmark.driver;
