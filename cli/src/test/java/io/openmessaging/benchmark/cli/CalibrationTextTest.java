package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CalibrationTextTest {

    private static final Environment ENVIRONMENT = new Environment(
            "0.1.0", "bench-host", "Linux", "Example CPU", 2, 8_000, "Example Vendor 17.0.12+7", List.of(), 1024, "");

    @Test
    void saysWhereItTakesPlace() {
        assertThat(CalibrationText.place(ENVIRONMENT))
                .isEqualTo(
                        "calibrating the harness on bench-host: 2 processors, JDK Example Vendor 17.0.12+7, heap 1024"
                                + " MiB");
    }

    @Test
    void alignsTheTable() {
        assertThat(CalibrationText.head())
                .isEqualTo("  rate                       achieved  delay p50        p99      p99.9");
        assertThat(CalibrationText.trial(
                        new Calibration.Trial(1_000_000, 999_990, 3_000_000, 4_500, 61_000, 1_230_000, true)))
                .isEqualTo("  1,000,000 msg/s       999,990 msg/s    4.50 µs    61.0 µs    1.23 ms  held");
        assertThat(CalibrationText.trial(new Calibration.Trial(16_000_000, 10_000_000, 9, 2_000_000_000, 1, 1, false)))
                .startsWith("  16,000,000 msg/s   10,000,000 msg/s     2.00 s")
                .endsWith("  not held");
    }

    @Test
    void namesEveryFigureWithItsUnit() {
        Calibration calibration = new Calibration(
                Instant.EPOCH,
                false,
                4_200_000,
                List.of(Calibration.Unlimited.of(1, 8_000_000), Calibration.Unlimited.of(2, 10_000_000)),
                List.of(),
                new Calibration.Clock(9, 41, 25.4),
                new Calibration.MachineState(null, 0, 0, false),
                new Calibration.Collections(12, 34, 40),
                ENVIRONMENT);

        assertThat(CalibrationText.summary(calibration))
                .containsExactly(
                        "  ceiling       4,200,000 msg/s of one sending thread with a send delay p99 below 1 ms",
                        "  unlimited     1 sending thread: 8,000,000 msg/s, 125 ns per message",
                        "  unlimited     2 sending threads: 10,000,000 msg/s, 200 ns per message and thread",
                        "  clock         steps of 41 ns (smallest 9 ns), a reading takes 25 ns",
                        "  collections   12 in 40.0 s, pauses of 34 ms in total");
    }

    @Test
    void saysWhyTheMachineIsBusy() {
        assertThat(CalibrationText.busy(new Calibration.MachineState(3.5, 0.125, 4_000_000, true)))
                .startsWith("this machine is busy (other programs use 13 % of the processors' time, up to 4.00 ms at"
                        + " once, load average 3.50): ");
        assertThat(CalibrationText.busy(new Calibration.MachineState(null, 0.125, 4_000_000, true)))
                .contains("up to 4.00 ms at once): ");
    }
}
