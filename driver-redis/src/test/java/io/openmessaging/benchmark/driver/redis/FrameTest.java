package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {

    private final RecordingListener listener = new RecordingListener();

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "k", "clé-鍵"})
    void keyAndPayloadComeOutAsTheyWentIn(@Nullable String key) {
        byte[] payload = {0, -1, 13, 10, 127, -128};
        Frame.deliver(Frame.of(key, payload), 3, listener);
        ReceivedMessage got = listener.messages().get(0);
        assertThat(got.key()).isEqualTo(key);
        assertThat(got.payload()).isEqualTo(payload);
        assertThat(got.partition()).isEqualTo(3);
    }

    @Test
    void theLongestKeyIsTakenAndALongerOneIsNot() {
        Frame.deliver(Frame.of("k".repeat(65_534), new byte[0]), 0, listener);
        assertThat(listener.messages().get(0).key()).hasSize(65_534);
        assertThatThrownBy(() -> Frame.of("k".repeat(65_535), new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a key must be shorter than 65,535 bytes, got 65535");
    }

    @Test
    void whatIsNoFrameIsRefused() {
        assertThatThrownBy(() -> Frame.deliver(new byte[] {1}, 0, listener))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a value of 1 bytes is not a message of this driver");
        assertThatThrownBy(() -> Frame.deliver(new byte[] {0, 9, 'k'}, 0, listener))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a value with a key of 9 bytes, but only 3 bytes in total, is not a message of this driver");
        assertThat(listener.count()).isZero();
    }
}
