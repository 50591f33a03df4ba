package io.openmessaging.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Isolated
final class QuantitiesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0             | 0 µs",
                "0.4           | 0 µs",
                "1             | 0.00100 µs",
                "999           | 0.999 µs",
                "1234          | 1.23 µs",
                "850000        | 850 µs",
                "999499        | 999 µs",
                "999500        | 1.00 ms",
                "1234567       | 1.23 ms",
                "12345678.9    | 12.3 ms",
                "999499999     | 999 ms",
                "999500000     | 1.00 s",
                "2500000000    | 2.50 s",
                "99960000000   | 100 s",
                "4398046511103 | 4,398 s"
            })
    void writesLatencies(double latencyNs, String text) {
        assertThat(Quantities.latency(latencyNs)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0 messages", "1 | 1 message", "2 | 2 messages", "30000 | 30,000 messages"})
    void countsHaveTheirNoun(long count, String text) {
        assertThat(Quantities.counted(count, "message")).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0         | 0",
                "0.0333333 | 0.0333",
                "0.5       | 0.500",
                "9.996     | 10.0",
                "12.345    | 12.3",
                "99.94     | 99.9",
                "99.95     | 100",
                "999.98    | 1,000",
                "1234567.8 | 1,234,568",
                "5e9       | 5,000,000,000",
                "-12.345   | -12.3"
            })
    void writesNumbers(double value, String text) {
        assertThat(Quantities.number(value)).isEqualTo(text);
        assertThat(Quantities.messageRate(value)).isEqualTo(text + " msg/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0 MB/s",
                "10 | < 0.001 MB/s",
                "1000 | 0.00100 MB/s",
                "1000000 | 1.00 MB/s",
                "1024000000 | 1,024 MB/s"
            })
    void writesByteRates(double bytesPerSecond, String text) {
        assertThat(Quantities.byteRate(bytesPerSecond)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0", "999 | 999", "30000 | 30,000", "9000000000000 | 9,000,000,000,000"})
    void writesCounts(long count, String text) {
        assertThat(Quantities.count(count)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0.0 s", "0.04 | 0.0 s", "12.345 | 12.3 s", "3600 | 3,600.0 s"})
    void writesSeconds(double seconds, String text) {
        assertThat(Quantities.seconds(seconds)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PT0S       | 0s",
                "PT0.499S   | 0s",
                "PT24.6S    | 25s",
                "PT59.6S    | 1m00s",
                "PT65S      | 1m05s",
                "PT2H5S     | 2h00m05s",
                "PT59M59.9S | 1h00m00s",
                "PT26H      | 26h00m00s"
            })
    void writesTimeLeft(Duration left, String text) {
        assertThat(Quantities.timeLeft(left)).isEqualTo(text);
    }

    @Test
    void doesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(Quantities.number(1234.5)).isEqualTo("1,235");
            assertThat(Quantities.latency(1_234_567)).isEqualTo("1.23 ms");
            assertThat(Quantities.count(1234)).isEqualTo("1,234");
            assertThat(Quantities.seconds(1234.5)).isEqualTo("1,234.5 s");
        } finally {
            Locale.setDefault(before);
        }
    }
}
