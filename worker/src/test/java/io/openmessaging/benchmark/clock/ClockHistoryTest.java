package io.openmessaging.benchmark.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ClockHistoryTest {

    private static final long SECOND_NS = 1_000_000_000L;

    private final ClockHistory history = new ClockHistory();

    @Test
    void itTellsOfASpanAlone() {
        for (int second = 0; second < 100; second++) {
            long nowNs = second * SECOND_NS;
            history.report(
                    nowNs, new Offset(second * 3_000L, second == 50 ? 900 : second == 20 ? 5_000 : 100 + second));
            history.sent(nowNs);
            history.sent(nowNs + 1);
            history.answered(nowNs + 1, second == 45 ? 10 : 70, second < 50 ? "UDP" : "HTTP");
        }
        ClockReport.Offsets offsets = history.offsets(40 * SECOND_NS, 60 * SECOND_NS);
        assertThat(offsets).isNotNull();
        assertThat(offsets.last()).isEqualTo(new Offset(180_000, 160));
        assertThat(offsets.largestBoundNs()).isEqualTo(900);
        assertThat(offsets.medianBoundNs()).isEqualTo(151);
        assertThat(offsets.driftPpm()).isCloseTo(3, within(1e-9));
        assertThat(offsets.driftBoundPpm()).isCloseTo(300 / 20e9 * 1e6, within(1e-9));
        assertThat(history.probes(40 * SECOND_NS, 60 * SECOND_NS))
                .isEqualTo(new ClockReport.Probes(42, Map.of("UDP", 10L, "HTTP", 11L), 10, 70));
    }

    @Test
    void ofNothingItTellsNothing() {
        assertThat(history.offsets(0, SECOND_NS)).isNull();
        assertThat(history.probes(0, SECOND_NS)).isEqualTo(new ClockReport.Probes(0, Map.of(), 0, 0));
        history.sent(5);
        history.report(5, new Offset(1, 2));
        assertThat(history.probes(0, SECOND_NS)).isEqualTo(new ClockReport.Probes(1, Map.of(), 0, 0));
        assertThat(history.offsets(0, SECOND_NS)).isEqualTo(new ClockReport.Offsets(new Offset(1, 2), 2, 2, 0, 50));
        assertThat(history.offsets(SECOND_NS, 2 * SECOND_NS)).isNull();
    }

    @Test
    void twoDaysLoseNoBoundAndNoCount() {
        int seconds = 172_800;
        for (int second = 0; second < seconds; second++) {
            history.report(
                    second * SECOND_NS, new Offset(-second * 2_000L, second == 1 ? 77_000 : 50_000 + second % 100));
            history.sent(second * SECOND_NS);
            history.answered(second * SECOND_NS, 100 + second % 201, "UDP");
        }
        ClockReport.Offsets offsets = history.offsets(0, seconds * SECOND_NS);
        assertThat(offsets).isNotNull();
        assertThat(offsets.largestBoundNs()).isEqualTo(77_000);
        assertThat(offsets.medianBoundNs()).as("of the largest of two minutes").isBetween(50_090L, 50_099L);
        assertThat(offsets.driftPpm()).isCloseTo(-2, within(1e-6));
        ClockReport.Probes probes = history.probes(0, seconds * SECOND_NS);
        assertThat(probes.sent()).isEqualTo(seconds);
        assertThat(probes.answered()).isEqualTo(Map.of("UDP", (long) seconds));
        assertThat(probes.minRoundTripNs()).isEqualTo(100);
        assertThat(probes.medianRoundTripNs()).isBetween(190L, 210L);
        ClockReport.Probes hour = history.probes(10_000 * SECOND_NS, 13_600 * SECOND_NS);
        assertThat(hour.sent()).isBetween(3_600L, 3_600L + 2 * 128);
    }
}
