package io.openmessaging.benchmark.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.calibrate.Calibrator.CalibratedLoad;
import io.openmessaging.benchmark.calibrate.Calibrator.CalibrationListener;
import io.openmessaging.benchmark.calibrate.Calibrator.Effort;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CalibratorTest {

    private static final Environment ENVIRONMENT = Environment.here("0.1.0", "a clock of the tests");
    private static final Effort EFFORT = new Effort(
            true,
            Duration.ofMillis(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            1.05);

    private final List<Calibration.Trial> heard = new ArrayList<>();

    private Calibrator calibrator(CalibratedLoad harness, int processors) {
        return new Calibrator(harness, EFFORT, processors, new CalibrationListener() {
            @Override
            public void machine(Calibration.MachineState machine) {
                assertThat(heard).as("before the first load").isEmpty();
            }

            @Override
            public void trial(Calibration.Trial trial) {
                heard.add(trial);
            }
        });
    }

    @Test
    void findsTheCeilingAndTheRatesWithoutASchedule() throws Exception {
        Calibration calibration = calibrator(new FakeHarness(3_000_000), 3).calibrate(ENVIRONMENT);

        assertThat(calibration.ceilingMsgPerSec()).isBetween(2_857_000.0, 3_000_000.0 / 0.99);
        assertThat(calibration.unlimited())
                .containsExactly(Calibration.Unlimited.of(1, 3e6), Calibration.Unlimited.of(3, 7.5e6));
        assertThat(calibration.unlimited().get(0).nsPerMessage()).isCloseTo(333.3, within(0.1));
        assertThat(calibration.unlimited().get(1).nsPerMessage()).isCloseTo(400, within(0.1));
        assertThat(calibration.trials()).isEqualTo(heard);
        assertThat(calibration.environment()).isEqualTo(ENVIRONMENT);
        assertThat(calibration.quick()).isTrue();
    }

    @Test
    void saysForEachRateWhatBecameOfIt() throws Exception {
        calibrator(new FakeHarness(500_000), 1).calibrate(ENVIRONMENT);

        assertThat(heard).extracting(Calibration.Trial::targetMsgPerSec).startsWith(1e3, 1e4, 1e5, 1e6, 1e6);
        Calibration.Trial held = heard.get(0);
        assertThat(held.held()).isTrue();
        assertThat(held.sends()).isEqualTo(2_000);
        assertThat(held.sendDelayP99Ns()).isBetween(20_000L, 20_020L);
        Calibration.Trial refused = heard.get(3);
        assertThat(refused.held()).isFalse();
        assertThat(refused.achievedMsgPerSec()).isEqualTo(500_000);
    }

    @Test
    void warmsUpFirstAndUsesSeveralThreadsOnlyOnSeveralProcessors() throws Exception {
        FakeHarness harness = new FakeHarness(1_000_000);
        calibrator(harness, 1).calibrate(ENVIRONMENT);

        assertThat(harness.loads()).startsWith("unlimited on 1", "50000 on 1", "1000 on 1");
        assertThat(harness.loads()).endsWith("unlimited on 1").allMatch(load -> load.endsWith(" on 1"));
    }

    @Test
    void aHarnessThatHoldsNothingIsNotCalibrated() {
        assertThatThrownBy(() -> calibrator(new FakeHarness(100), 1).calibrate(ENVIRONMENT))
                .isInstanceOf(CalibrationException.class)
                .hasMessage("no rate was sustained, not even 1000 msg/s: another process keeps this machine busy");
    }
}
