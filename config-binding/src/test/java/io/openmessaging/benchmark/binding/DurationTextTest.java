package io.openmessaging.benchmark.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S, 500ms",
        "30s, PT30S, 30s",
        "5m, PT5M, 5m",
        "1h, PT1H, 1h",
        "2d, PT48H, 2d",
        "1h30m, PT1H30M, 1h30m",
        "1d2h3m4s5ms, PT26H3M4.005S, 1d2h3m4s5ms",
        "90s, PT1M30S, 1m30s",
        "1500ms, PT1.5S, 1s500ms",
        "0, PT0S, 0s",
        "0s, PT0S, 0s",
        "9999999999d, PT239999999976H, 9999999999d",
    })
    void readsAndWrites(String text, Duration duration, String written) {
        assertThat(DurationText.parse(text)).contains(duration);
        assertThat(DurationText.format(duration)).isEqualTo(written);
        assertThat(DurationText.parse(written)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "30",
                "s",
                "30 s",
                " 30s",
                "30S",
                "1.5s",
                "-1s",
                "+1s",
                "1m1h",
                "1s1s",
                "PT30S",
                "5min",
                "1w",
                "99999999999s",
                "٣s"
            })
    void refuses(String text) {
        assertThat(DurationText.parse(text)).isEmpty();
    }
}
