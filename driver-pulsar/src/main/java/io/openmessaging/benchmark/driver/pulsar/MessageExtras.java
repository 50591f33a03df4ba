package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.ProducerSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Properties and delivery delay of all messages of a producer. Created once per producer; immutable.
 *
 * @param names names of the properties
 * @param values values of the properties, in the order of their names
 * @param delayMs time after its send when a message may be delivered, milliseconds; 0 for at once
 */
record MessageExtras(List<String> names, List<String> values, long delayMs) {

    /** Creates the extras of a producer; its headers become Pulsar's properties. */
    static MessageExtras of(ProducerSpec spec, @Nullable Duration deliverAfter) {
        return new MessageExtras(
                List.copyOf(spec.headers().keySet()),
                List.copyOf(spec.headers().values()),
                deliverAfter == null ? 0 : deliverAfter.toMillis());
    }

    /** Fills in a message, without sending it. */
    TypedMessageBuilder<byte[]> fill(TypedMessageBuilder<byte[]> message, @Nullable String key, byte[] payload) {
        message.value(payload);
        if (key != null) {
            message.key(key);
        }
        // By index: an iterator would allocate an object per message.
        for (int i = 0; i < names.size(); i++) {
            message.property(names.get(i), values.get(i));
        }
        if (delayMs > 0) {
            message.deliverAfter(delayMs, TimeUnit.MILLISECONDS);
        }
        return message;
    }
}
