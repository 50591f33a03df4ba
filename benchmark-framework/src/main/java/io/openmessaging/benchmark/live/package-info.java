/**
 * What a run serves live: its figures in Prometheus' format, over HTTP. Fed by what the run's thread is told
 * ({@link io.openmessaging.benchmark.run.RunListener}); nothing here is ever called by a thread that sends or
 * receives.
 */
package io.openmessaging.benchmark.live;
