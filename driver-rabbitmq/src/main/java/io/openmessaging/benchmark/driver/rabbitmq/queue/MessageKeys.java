package io.openmessaging.benchmark.driver.rabbitmq.queue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.LongStringHelper;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the properties of AMQP messages: the headers that all messages of a producer have, and the key. The key is
 * sent as the message id, which needs no map; a key that is too long for a message id becomes one more header. Messages
 * without a key share one set of properties.
 */
final class MessageKeys {

    /** A message id has at most 255 bytes, and UTF-8 needs at most three for each char. */
    private static final int MAX_MESSAGE_ID_CHARS = 85;

    /** Names of other headers do not contain an underscore. */
    private static final String KEY_HEADER = "message_key";

    private final int deliveryMode;

    /** Encoded, so that the client need not encode them for each message; null for none. */
    private final @Nullable Map<String, Object> headers;

    private final AMQP.BasicProperties withoutKey;

    /**
     * Creates the properties for messages of one producer.
     *
     * @param deliveryMode 1, or 2 for persistent messages
     * @param headers the headers of each message
     */
    MessageKeys(int deliveryMode, Map<String, String> headers) {
        this.deliveryMode = deliveryMode;
        this.headers = headers.isEmpty() ? null : encoded(headers);
        this.withoutKey = properties(null, this.headers);
    }

    private static Map<String, Object> encoded(Map<String, String> headers) {
        Map<String, Object> encoded = new LinkedHashMap<>();
        headers.forEach((name, value) -> encoded.put(name, LongStringHelper.asLongString(value)));
        return encoded;
    }

    AMQP.BasicProperties propertiesFor(@Nullable String key) {
        if (key == null) {
            return withoutKey;
        }
        return key.length() <= MAX_MESSAGE_ID_CHARS ? properties(key, headers) : properties(null, withKey(key));
    }

    private Map<String, Object> withKey(String key) {
        if (headers == null) {
            return Map.of(KEY_HEADER, key);
        }
        Map<String, Object> all = new LinkedHashMap<>(headers);
        all.put(KEY_HEADER, key);
        return all;
    }

    private AMQP.BasicProperties properties(@Nullable String messageId, @Nullable Map<String, Object> all) {
        return new AMQP.BasicProperties(
                null, null, all, deliveryMode, null, null, null, null, messageId, null, null, null, null, null);
    }

    /** The key of a received message. */
    static @Nullable String keyOf(AMQP.BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        if (headers != null && headers.get(KEY_HEADER) instanceof LongString key) {
            return key.toString();
        }
        return properties.getMessageId();
    }
}
