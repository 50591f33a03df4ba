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
            history.told(nowNs, new Offset(second * 3_000L, second == 50 ? 900 : second == 20 ? 5_000 : 100 + second));
            history.sent(nowNs);
            history.sent(nowNs + 1);
            history.answered(nowNs + 1, second == 45 ? 10 : 70, second < 50 ? "UDP" : "HTTP");
        }
        ClockReport.Told told = history.told(40 * SECOND_NS, 60 * SECOND_NS);
        assertThat(told).isNotNull();
        assertThat(told.last()).isEqualTo(new Offset(180_000, 160));
        assertThat(told.largestBoundNs()).isEqualTo(900);
        assertThat(told.medianBoundNs()).isEqualTo(151);
        assertThat(told.driftPpm()).isCloseTo(3, within(1e-9));
        assertThat(told.driftBoundPpm()).isCloseTo(300 / 20e9 * 1e6, within(1e-9));
        assertThat(history.probes(40 * SECOND_NS, 60 * SECOND_NS))
                .isEqualTo(new ClockReport.Probes(42, Map.of("UDP", 10L, "HTTP", 11L), 10, 70));
    }

    @Test
    void ofNothingItTellsNothing() {
        assertThat(history.told(0, SECOND_NS)).isNull();
        assertThat(history.probes(0, SECOND_NS)).isEqualTo(new ClockReport.Probes(0, Map.of(), 0, 0));
        history.sent(5);
        history.told(5, new Offset(1, 2));
        assertThat(history.probes(0, SECOND_NS)).isEqualTo(new ClockReport.Probes(1, Map.of(), 0, 0));
        assertThat(history.told(0, SECOND_NS)).isEqualTo(new ClockReport.Told(new Offset(1, 2), 2, 2, 0, 50));
        assertThat(history.told(SECOND_NS, 2 * SECOND_NS)).isNull();
    }

    @Test
    void twoDaysLoseNoBoundAndNoCount() {
        int seconds = 172_800;
        for (int second = 0; second < seconds; second++) {
            history.told(
                    second * SECOND_NS, new Offset(-second * 2_000L, second == 1 ? 77_000 : 50_000 + second % 100));
            history.sent(second * SECOND_NS);
            history.answered(second * SECOND_NS, 100 + second % 201, "UDP");
        }
        ClockReport.Told told = history.told(0, seconds * SECOND_NS);
        assertThat(told).isNotNull();
        assertThat(told.largestBoundNs()).isEqualTo(77_000);
        assertThat(told.medianBoundNs()).as("of the largest of two minutes").isBetween(50_090L, 50_099L);
        assertThat(told.driftPpm()).isCloseTo(-2, within(1e-6));
        ClockReport.Probes probes = history.probes(0, seconds * SECOND_NS);
        assertThat(probes.sent()).isEqualTo(seconds);
        assertThat(probes.answered()).isEqualTo(Map.of("UDP", (long) seconds));
        assertThat(probes.minRoundTripNs()).isEqualTo(100);
        assertThat(probes.medianRoundTripNs()).isBetween(190L, 210L);
        ClockReport.Probes hour = history.probes(10_000 * SECOND_NS, 13_600 * SECOND_NS);
        assertThat(hour.sent()).isBetween(3_600L, 3_600L + 2 * 128);
    }
}
