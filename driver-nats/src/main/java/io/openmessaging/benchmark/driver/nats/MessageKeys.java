package io.openmessaging.benchmark.driver.nats;

import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Keys of messages, which travel as a header. Headers of NATS are printable ASCII, so other keys are percent-encoded.
 */
final class MessageKeys {

    /** Name of the header; short, since it travels with each message. */
    static final String HEADER = "key";

    private MessageKeys() {}

    /** Returns the key of a received message; null if it has none. */
    static @Nullable String of(Message message) {
        if (!message.hasHeaders()) {
            return null;
        }
        Headers headers = message.getHeaders();
        String encoded = headers == null ? null : headers.getFirst(HEADER);
        return encoded == null ? null : decoded(encoded);
    }

    /** Returns the key as the value of a header. */
    static String encoded(String key) {
        for (int i = 0; i < key.length(); i++) {
            char character = key.charAt(i);
            if (character <= ' ' || character > '~' || character == '%') {
                // Only with a percent sign is a value encoded, so that a plus in a plain key stays one.
                return URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
            }
        }
        return key.isEmpty() ? "%" : key;
    }

    /** Returns the key of a header's value. */
    static String decoded(String value) {
        if (value.equals("%")) {
            return "";
        }
        return value.indexOf('%') < 0 ? value : URLDecoder.decode(value, StandardCharsets.UTF_8);
    }
}
