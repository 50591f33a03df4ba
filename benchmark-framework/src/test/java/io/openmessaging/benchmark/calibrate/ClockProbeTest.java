package io.openmessaging.benchmark.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.result.Calibration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

final class ClockProbeTest {

    /** A clock that advances by the given steps in turn, one per reading, over and over. */
    private static LongSupplier clock(long... stepsNs) {
        long[] state = new long[2];
        return () -> {
            state[0] += stepsNs[(int) (state[1]++ % stepsNs.length)];
            return state[0];
        };
    }

    @Test
    void stepsAreThoseThatAreNotZero() {
        Calibration.Clock clock = ClockProbe.resolution(new long[] {100, 100, 141, 141, 182, 184, 225});

        assertThat(clock).isEqualTo(new Calibration.Clock(2, 41, 125 / 6.0));
    }

    @Test
    void aCoarseClockHasCheapReadings() {
        Calibration.Clock clock = new ClockProbe(clock(0, 0, 0, 1_000)).resolution();

        assertThat(clock.smallestStepNs()).isEqualTo(1_000);
        assertThat(clock.typicalStepNs()).isEqualTo(1_000);
        assertThat(clock.readNs()).isBetween(249.0, 251.0);
    }

    @Test
    void aClockThatStandsStillIsRefused() {
        assertThatThrownBy(() -> ClockProbe.resolution(new long[] {7, 7, 7}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLongestGapIsThatBetweenTwoReadings() {
        long[] steps = new long[100];
        Arrays.fill(steps, 20);
        steps[50] = 500_000;

        assertThat(new ClockProbe(clock(steps)).longestGapNs(1_000_000)).isEqualTo(500_000);
        assertThat(new ClockProbe(clock(30, 20)).longestGapNs(1_000_000)).isEqualTo(30);
    }
}
