package io.openmessaging.benchmark.worker.transport;

/**
 * The worker's clock at the time of an answer.
 *
 * @param receivedNs time when the request had been read, epoch nanoseconds of the worker
 * @param answeredNs time just before the answer was written
 */
public record ClockReading(long receivedNs, long answeredNs) {}
