package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaReleasesTest {

    @ParameterizedTest
    @CsvSource({
        "1,unknown",
        "7,3.3",
        "14,3.6",
        "19,3.7",
        "21,3.9",
        "25,4.0",
        "29,4.2",
        "31,4.4",
        "33,4.4",
        "34,newer than 4.4"
    })
    void release(int level, String release) {
        assertThat(KafkaReleases.supportingUpTo(level)).isEqualTo(release);
    }
}
