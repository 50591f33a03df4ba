package io.openmessaging.benchmark.worker.transport;

/**
 * The worker is the coordinator's.
 *
 * @param worker which it is
 * @param leaseMs after how many milliseconds without a request it is free again, its load stopped and its clients closed
 * @param probeKey the secret by which it knows this session's clock probes by UDP
 * @param probePort its UDP port for them; 0 if it has none
 */
public record Claimed(WorkerInfo worker, long leaseMs, byte[] probeKey, int probePort) {}
