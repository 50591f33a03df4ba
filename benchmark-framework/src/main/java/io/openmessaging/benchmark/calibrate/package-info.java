/**
 * Finds out what the harness itself can do on this machine, with a driver that costs nothing.
 *
 * <p>{@link io.openmessaging.benchmark.calibrate.Calibrator} goes through it: the clock, the quiet of the machine, the
 * rates that {@link io.openmessaging.benchmark.calibrate.CeilingSearch} chooses, and as fast as it goes. Each load is a
 * run like any other ({@link io.openmessaging.benchmark.calibrate.InMemoryHarness}).
 */
package io.openmessaging.benchmark.calibrate;
