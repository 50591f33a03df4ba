/**
 * The live page of runs: fed by what the run's thread is told, as the metrics are, and served over HTTP with
 * events that browsers follow. Nothing here is ever called by a thread that sends or receives, and memory is bounded however
 * long runs take.
 */
package io.openmessaging.benchmark.live.page;
