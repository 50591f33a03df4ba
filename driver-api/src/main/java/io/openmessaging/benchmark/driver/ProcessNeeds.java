package io.openmessaging.benchmark.driver;

/**
 * What the clients of one process need of what a machine limits, at least.
 *
 * @param threads that clients start
 * @param descriptors of files: sockets, and what waits for them
 * @param remedy what can be changed in the driver file so that it is less, as an imperative without a full stop
 */
public record ProcessNeeds(long threads, long descriptors, String remedy) {}
