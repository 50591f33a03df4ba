/**
 * What a driver's author needs to test it:
 *
 * <ul>
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.DriverContractTest} checks every promise of the SPI that can be
 *       seen from outside; the session and the recording listener, callback and events that it is written with serve
 *       further tests;
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest} checks the driver files that a module
 *       ships, {@link io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile} hands them to tests against a broker;
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.PackagedDriver} loads the driver from its packaged folder alone;
 *   <li>{@link io.openmessaging.benchmark.driver.testkit.TestBrokerExtension} starts a local broker for tests.
 * </ul>
 */
package io.openmessaging.benchmark.driver.testkit;
