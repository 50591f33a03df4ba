/**
 * The runs of this process while they happen: one model, which the run's thread writes
 * ({@link io.openmessaging.benchmark.run.RunListener}), and its two forms, the JSON of the live page and Prometheus'
 * metrics. Threads that send or receive never call this package.
 */
package io.openmessaging.benchmark.live;
