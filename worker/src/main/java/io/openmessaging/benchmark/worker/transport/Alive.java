package io.openmessaging.benchmark.worker.transport;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a heartbeat: the worker is alive and has renewed the lease.
 *
 * @param doing current activity, such as a load, and its progress; null if the worker waits for a request
 */
public record Alive(@Nullable String doing) {}
