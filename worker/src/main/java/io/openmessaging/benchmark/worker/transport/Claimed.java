package io.openmessaging.benchmark.worker.transport;

/**
 * The answer to a successful claim.
 *
 * @param worker description of the worker
 * @param leaseMs time without a request, in milliseconds, after which the worker stops its load, closes its clients
 *     and is free again
 * @param probeKey secret that authenticates this session's clock probes by UDP
 * @param probePort the worker's UDP port for clock probes; 0 if it has none
 */
public record Claimed(WorkerInfo worker, long leaseMs, byte[] probeKey, int probePort) {}
