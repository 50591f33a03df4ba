/**
 * From what was recorded to what speaks against it. {@link io.openmessaging.benchmark.judge.Judge#findings} is the place where
 * it is decided whether a run is INVALID, from its {@link io.openmessaging.benchmark.judge.Evidence}; {@link
 * io.openmessaging.benchmark.judge.Pace} and {@link io.openmessaging.benchmark.judge.Settling} judge a load while it is on.
 * Pure: nothing here waits, asks a worker or knows a clock.
 */
package io.openmessaging.benchmark.judge;
