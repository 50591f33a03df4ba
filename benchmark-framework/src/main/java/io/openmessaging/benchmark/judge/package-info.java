/**
 * Judges the records of a run. {@link io.openmessaging.benchmark.judge.Judge#findings} decides whether a run is
 * INVALID, from its {@link io.openmessaging.benchmark.judge.Evidence}; {@link io.openmessaging.benchmark.judge.Pace}
 * and {@link io.openmessaging.benchmark.judge.Settling} judge a load while it is on. Pure: nothing here waits, calls a
 * worker or reads a clock.
 */
package io.openmessaging.benchmark.judge;
