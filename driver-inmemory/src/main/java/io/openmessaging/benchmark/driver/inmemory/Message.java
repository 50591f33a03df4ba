package io.openmessaging.benchmark.driver.inmemory;

import org.jspecify.annotations.Nullable;

/**
 * A message on its way to a consumer.
 *
 * @param key the key, or null
 * @param payload the payload, not modified any more
 * @param partition the partition of the message
 * @param dueNs the earliest time of delivery, by {@link System#nanoTime()}
 */
record Message(@Nullable String key, byte[] payload, int partition, long dueNs) {

    /** Approximate size of the objects around a payload. */
    static final int OVERHEAD_BYTES = 64;

    long bytes() {
        return (long) payload.length + OVERHEAD_BYTES;
    }
}
