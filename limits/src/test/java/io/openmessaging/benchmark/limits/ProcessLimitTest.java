package io.openmessaging.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessLimitTest {

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1536, 1536, 1536", "64k, 65536, 64k", "512M, 536870912, 512m", "1024m, 1073741824, 1g"})
    void readsAndWritesSizes(String text, long bytes, String written) {
        assertThat(ProcessLimit.memoryBytes(text)).isEqualTo(bytes);
        assertThat(ProcessLimit.memoryText(bytes)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1g", "1.5g", "2gb", "g", "999999999999999t"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> ProcessLimit.memoryBytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a size such as 512m or 2g");
    }

    @ParameterizedTest
    @CsvSource({"1, 1 processor", "2, 2 processors", "0.5, 0.5 processors", "16, 16 processors"})
    void saysHowManyProcessors(double cpus, String text) {
        assertThat(ProcessLimit.cpusText(cpus)).isEqualTo(text);
    }
}
