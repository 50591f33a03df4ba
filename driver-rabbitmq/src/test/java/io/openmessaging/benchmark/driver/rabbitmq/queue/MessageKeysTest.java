package io.openmessaging.benchmark.driver.rabbitmq.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.LongStringHelper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageKeysTest {

    private final MessageKeys keys = new MessageKeys(2, Map.of());

    @Test
    void messagesWithoutKeyShareTheirProperties() {
        assertThat(keys.propertiesFor(null)).isSameAs(keys.propertiesFor(null));
        assertThat(keys.propertiesFor(null).getDeliveryMode()).isEqualTo(2);
        assertThat(MessageKeys.keyOf(keys.propertiesFor(null))).isNull();
    }

    @Test
    void aShortKeyNeedsNoHeaders() {
        AMQP.BasicProperties properties = keys.propertiesFor("clé-鍵");
        assertThat(properties.getHeaders()).isNull();
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(MessageKeys.keyOf(properties)).isEqualTo("clé-鍵");
    }

    @Test
    void aKeyThatFillsTheMessageIdFits() {
        String key = "鍵".repeat(85);
        assertThat(key.getBytes(StandardCharsets.UTF_8)).hasSize(255);
        assertThat(keys.propertiesFor(key).getMessageId()).isEqualTo(key);
    }

    @Test
    void aLongKeyIsAHeader() {
        String key = "k".repeat(86);
        AMQP.BasicProperties sent = keys.propertiesFor(key);
        assertThat(sent.getMessageId()).isNull();
        assertThat(sent.getHeaders()).isEqualTo(Map.of("message_key", key));
        // The type in which the client library delivers a received header.
        AMQP.BasicProperties arrived = new AMQP.BasicProperties.Builder()
                .headers(Map.of("message_key", LongStringHelper.asLongString(key)))
                .build();
        assertThat(MessageKeys.keyOf(arrived)).isEqualTo(key);
    }

    @Test
    void headersAreThoseOfEveryMessageAndEncodedOnce() {
        MessageKeys withHeaders = new MessageKeys(1, Map.of("header-1", "one"));
        Object value = withHeaders.propertiesFor(null).getHeaders().get("header-1");
        assertThat(value).isEqualTo(LongStringHelper.asLongString("one"));
        assertThat(withHeaders.propertiesFor(null)).isSameAs(withHeaders.propertiesFor(null));
        assertThat(withHeaders.propertiesFor("k").getHeaders().get("header-1")).isSameAs(value);
        assertThat(withHeaders.propertiesFor("k".repeat(86)).getHeaders()).containsOnlyKeys("header-1", "message_key");
    }
}
