package io.openmessaging.benchmark.driver.testkit;

import org.jspecify.annotations.Nullable;

/**
 * One call of a {@link RecordingListener}.
 *
 * @param key the key as it arrived, or null
 * @param payload a copy of the bytes, made during the call
 * @param partition the partition as the driver gave it
 */
public record ReceivedMessage(@Nullable String key, byte[] payload, int partition) {}
