package io.openmessaging.benchmark.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.result.Calibration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MachineWatchTest {

    @ParameterizedTest
    @CsvSource({
        // load average, ms of processor time out of 2 x 1000, share that others took, busy
        "0.1, 2000, 0.0,  false",
        "0.1, 2003, 0.0,  false",
        "4.0, 1920, 0.04, false",
        "4.1, 2000, 0.0,  true",
        "0.1, 1880, 0.06, true",
        "   , 1920, 0.04, false",
        "   , 1000, 0.5,  true",
    })
    void judges(@Nullable Double loadAverage, long processorMs, double othersShare, boolean busy) {
        HarnessUsage used = new HarnessUsage(1_000_000_000, processorMs * 1_000_000, 0, 0, 2);

        Calibration.MachineState machine = MachineWatch.judge(loadAverage, used, 5_000_000);

        assertThat(machine.othersShare()).isCloseTo(othersShare, within(1e-9));
        assertThat(machine.loadAverage()).isEqualTo(loadAverage);
        assertThat(machine.longestStallNs()).isEqualTo(5_000_000);
        assertThat(machine.busy()).isEqualTo(busy);
    }

    @Test
    void watchesEveryProcessor() throws InterruptedException {
        Calibration.MachineState machine = MachineWatch.watch(Duration.ofMillis(20));

        assertThat(machine.othersShare()).isBetween(0.0, 1.0);
        assertThat(machine.longestStallNs()).isPositive();
    }
}
