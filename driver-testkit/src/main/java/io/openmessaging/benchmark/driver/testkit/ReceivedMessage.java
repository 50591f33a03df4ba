package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.MessageListener;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call of a {@link RecordingListener}.
 *
 * @param key the key as it arrived, or null
 * @param payload a copy of the bytes, made during the call
 * @param partition the partition reported by the driver
 * @param timeMs the system's time of the message, ms, or {@link MessageListener#NO_TIME}
 */
public record ReceivedMessage(@Nullable String key, byte[] payload, int partition, long timeMs) {}
