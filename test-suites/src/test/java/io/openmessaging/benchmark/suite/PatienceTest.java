package io.openmessaging.benchmark.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {

    @Test
    void aSlowMachineHasMore() {
        assertThat(Patience.limit("", false)).isEqualTo(Duration.ofMinutes(1));
        assertThat(Patience.limit("", true)).isEqualTo(Duration.ofMinutes(5));
        assertThat(Patience.limit("3", true)).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void aFactorBelowOneIsRefused() {
        assertThatThrownBy(() -> Patience.limit("0", false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("TESTS_PATIENCE must be at least 1, got 0");
    }
}
