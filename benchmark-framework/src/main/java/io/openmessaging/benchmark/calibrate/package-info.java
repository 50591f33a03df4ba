/**
 * Finds out what the harness itself can do on this machine, with a driver that costs nothing.
 *
 * <p>{@link io.openmessaging.benchmark.calibrate.Calibrator} measures the clock, how quiet the machine is, the rates
 * that {@link io.openmessaging.benchmark.calibrate.CeilingSearch} chooses, and the rate without a limit. Each load is
 * a normal run ({@link io.openmessaging.benchmark.calibrate.InMemoryHarness}).
 */
package io.openmessaging.benchmark.calibrate;
