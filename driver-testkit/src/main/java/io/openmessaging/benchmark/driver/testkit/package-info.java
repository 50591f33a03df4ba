/**
 * What a driver's author needs to test it: {@link io.openmessaging.benchmark.driver.testkit.DriverContractTest}, which
 * checks every promise of the SPI that can be seen from outside, and the recording listener, callback and events that
 * it is written with.
 */
@NullMarked
package io.openmessaging.benchmark.driver.testkit;

import org.jspecify.annotations.NullMarked;
