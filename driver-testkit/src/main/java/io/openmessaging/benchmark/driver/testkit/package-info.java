/**
 * Test support for authors of drivers:
 *
 * <ul>
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.DriverContractTest} checks every promise of the SPI that can be
 *       observed from outside; its session and its recording listener, callback and events also serve further tests;
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest} checks the driver files that a
 *       module ships; {@link io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile} reads them for tests
 *       with a broker;
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.PackagedDriver} loads the driver from its packaged folder alone;
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.TestBrokerExtension} starts a local broker for tests.
 * </ul>
 */
package io.openmessaging.benchmark.driver.testkit;
