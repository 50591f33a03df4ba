/**
 * The live figures of a run in Prometheus' format, over HTTP. The run's thread reports them
 * ({@link io.openmessaging.benchmark.run.RunListener}); threads that send or receive never call this package.
 */
package io.openmessaging.benchmark.live;
