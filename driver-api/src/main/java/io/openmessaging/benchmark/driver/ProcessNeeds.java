package io.openmessaging.benchmark.driver;

/**
 * The minimum that the clients of one process need of resources that a machine limits.
 *
 * @param threads number of threads that clients start
 * @param descriptors number of file descriptors: sockets, and what waits for them
 * @param remedy change to the driver file that reduces the need, as an imperative without a full stop
 */
public record ProcessNeeds(long threads, long descriptors, String remedy) {}
