package io.openmessaging.benchmark.worker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "::1", "[::1]", "0:0:0:0:0:0:0:1"})
    void isThisMachine(String host) {
        assertThat(Loopback.isName(host)).isTrue();
    }

    /** Names are not looked up, whatever they start with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "127.0.0.1.example.com",
                "127.0.0.1.2",
                "w1",
                "0.0.0.0",
                "192.0.2.1",
                "[::]",
                "::2",
                "[fe80::1]",
                ""
            })
    void isNotThisMachine(String host) {
        assertThat(Loopback.isName(host)).isFalse();
    }
}
