package io.openmessaging.benchmark.worker.transport;

import org.jspecify.annotations.Nullable;

/**
 * The worker is there, and its lease is renewed.
 *
 * @param doing what it does at the moment, and how far it is; null if it waits for a request
 */
public record Alive(@Nullable String doing) {}
