package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.LongString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a key travels in an AMQP message: as its message id, which costs no map; one that may be longer than that can be,
 * as a header. Messages without a key share one set of properties.
 */
final class MessageKeys {

    /** A message id has at most 255 bytes, and UTF-8 takes at most three for each char. */
    private static final int MAX_MESSAGE_ID_CHARS = 85;

    private static final String HEADER = "key";

    private final int deliveryMode;
    private final AMQP.BasicProperties withoutKey;

    /** For messages of this delivery mode: 1 or, for persistent ones, 2. */
    MessageKeys(int deliveryMode) {
        this.deliveryMode = deliveryMode;
        this.withoutKey = properties(null, null);
    }

    AMQP.BasicProperties propertiesFor(@Nullable String key) {
        if (key == null) {
            return withoutKey;
        }
        return key.length() <= MAX_MESSAGE_ID_CHARS ? properties(key, null) : properties(null, Map.of(HEADER, key));
    }

    private AMQP.BasicProperties properties(@Nullable String messageId, @Nullable Map<String, Object> headers) {
        return new AMQP.BasicProperties(
                null, null, headers, deliveryMode, null, null, null, null, messageId, null, null, null, null, null);
    }

    /** The key of a message that has arrived. */
    static @Nullable String keyOf(AMQP.BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        if (headers != null && headers.get(HEADER) instanceof LongString key) {
            return key.toString();
        }
        return properties.getMessageId();
    }
}
