package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.openmessaging.benchmark.config.ProducerRate.Fixed;
import io.openmessaging.benchmark.config.ProducerRate.MaxSustainable;
import io.openmessaging.benchmark.config.ProducerRate.Unlimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProducerRateTest {

    @ParameterizedTest
    @CsvSource({
        "1000, 1000, 1000",
        "1_000_000, 1000000, 1000000",
        "0.5, 0.5, 0.5",
        "1e6, 1000000, 1000000",
        "0.001, 0.001, 0.001",
        "1000000000, 1000000000, 1000000000",
        "33333.3, 33333.3, 33333.3",
    })
    void aNumberIsAConstantRate(String text, double messagesPerSecond, String written) {
        assertThat(ProducerRate.parse(text))
                .isEqualTo(new Fixed(messagesPerSecond))
                .hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "-0"})
    void zeroSearchesForTheSustainableRate(String text) {
        assertThat(ProducerRate.parse(text)).isEqualTo(new MaxSustainable()).hasToString("0");
    }

    @Test
    void unlimitedIsAWord() {
        assertThat(ProducerRate.parse("unlimited")).isEqualTo(new Unlimited()).hasToString("unlimited");
        assertThat(ProducerRate.parse("Unlimited")).isEqualTo(new Unlimited());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "0.0009", "1000000001", "1e999", "NaN", "max", "1000/s", "0x10", "1 000"})
    void refusesTheRest(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProducerRate.parse(text))
                .withMessageStartingWith("must be messages a second from 0.001 to 1000000000");
    }
}
