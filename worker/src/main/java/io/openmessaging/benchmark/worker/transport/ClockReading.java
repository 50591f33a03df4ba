package io.openmessaging.benchmark.worker.transport;

/**
 * The worker's clock while it answers.
 *
 * @param receivedNs when it had read the request, epoch nanoseconds of the worker
 * @param answeredNs just before it wrote the answer
 */
public record ClockReading(long receivedNs, long answeredNs) {}
