/**
 * The live page of runs. Like the metrics, it is fed with the events of the run's thread; it is served over HTTP, with
 * events that browsers follow. Threads that send or receive never call this package, and its memory is bounded however
 * long runs take.
 */
package io.openmessaging.benchmark.live.page;
