package io.openmessaging.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CalibrationTest {

    private static final Calibration CALIBRATION = ResultFixture.calibration();

    private static Calibration with(Calibration.Unlimited... unlimited) {
        return new Calibration(
                CALIBRATION.time(),
                false,
                4_000_000,
                List.of(unlimited),
                List.of(),
                CALIBRATION.clock(),
                CALIBRATION.machine(),
                CALIBRATION.collections(),
                CALIBRATION.environment());
    }

    @ParameterizedTest
    @CsvSource({"1, 4_000_000", "2, 5_428_571", "8, 14_000_000", "9, 14_000_000"})
    void growsWithTheThreadsAsTheRateWithoutAScheduleDid(int threads, String ceiling) {
        assertThat(CALIBRATION.ceilings().msgPerSec(threads))
                .isCloseTo(Double.parseDouble(ceiling.replace("_", "")), within(1.0));
    }

    @Test
    void neverFallsAndNeverGrowsByMoreThanTheThreads() {
        Calibration slower = with(Calibration.Unlimited.of(1, 5e6), Calibration.Unlimited.of(2, 4e6));
        Calibration tooFast = with(Calibration.Unlimited.of(1, 5e6), Calibration.Unlimited.of(2, 15e6));

        assertThat(slower.ceilings().msgPerSec(2)).isEqualTo(4e6);
        assertThat(tooFast.ceilings().msgPerSec(2)).isEqualTo(8e6);
    }

    @Test
    void isTheSameForAnyNumberOfThreadsOnOneProcessor() {
        assertThat(with(Calibration.Unlimited.of(1, 5e6)).ceilings().msgPerSec(4))
                .isEqualTo(4e6);
    }
}
