package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.ProducerSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What all messages of a producer have beside key and payload: properties, and for how long they are held back. Made once
 * a producer; immutable.
 *
 * @param names of the properties
 * @param values of the properties, in the order of their names
 * @param delayMs how long after its send a message may be delivered; 0 for at once
 */
record MessageExtras(List<String> names, List<String> values, long delayMs) {

    /** The headers that a producer is to have are what Pulsar calls properties. */
    static MessageExtras of(ProducerSpec spec, @Nullable Duration deliverAfter) {
        return new MessageExtras(
                List.copyOf(spec.headers().keySet()),
                List.copyOf(spec.headers().values()),
                deliverAfter == null ? 0 : deliverAfter.toMillis());
    }

    /** Completes a message, which is still to be sent. */
    TypedMessageBuilder<byte[]> fill(TypedMessageBuilder<byte[]> message, @Nullable String key, byte[] payload) {
        message.value(payload);
        if (key != null) {
            message.key(key);
        }
        // By index: an iterator would be an object for each message.
        for (int i = 0; i < names.size(); i++) {
            message.property(names.get(i), values.get(i));
        }
        if (delayMs > 0) {
            message.deliverAfter(delayMs, TimeUnit.MILLISECONDS);
        }
        return message;
    }
}
