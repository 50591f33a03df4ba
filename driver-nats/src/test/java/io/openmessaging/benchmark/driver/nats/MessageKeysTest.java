package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageKeysTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "a+b", "a b", "100%", "a b+c%", "%", "clé-鍵-42", "line\nend", " "})
    void aKeyArrivesAsItWasSent(String key) {
        String encoded = MessageKeys.encoded(key);

        assertThat(encoded).matches("[!-~]+");
        assertThat(MessageKeys.decoded(encoded)).isEqualTo(key);
    }

    @Test
    void aPlainKeyIsReadable() {
        assertThat(MessageKeys.encoded("order-42+x")).isEqualTo("order-42+x");
    }
}
