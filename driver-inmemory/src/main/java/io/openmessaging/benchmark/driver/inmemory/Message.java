package io.openmessaging.benchmark.driver.inmemory;

import org.jspecify.annotations.Nullable;

/**
 * A message on its way to a consumer.
 *
 * @param key or null
 * @param payload never written to any more
 * @param partition where it belongs
 * @param dueNs when it may be delivered, by {@link System#nanoTime()}
 */
record Message(@Nullable String key, byte[] payload, int partition, long dueNs) {

    /** About what the objects around a payload take. */
    static final int OVERHEAD_BYTES = 64;

    long bytes() {
        return (long) payload.length + OVERHEAD_BYTES;
    }
}
