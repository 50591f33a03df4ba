package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpochClockTest {

    private static final long NS_PER_SECOND = 1_000_000_000L;

    /** The wall clock may be slewed while it is compared. */
    private static final Duration ROUNDING = Duration.ofMillis(1);

    /** A reading in between must be a time in between. */
    @Test
    void itGivesNanosecondsSince1970() {
        Instant before = Instant.now().minus(ROUNDING);
        long ns = new EpochClock().getAsLong();
        Instant after = Instant.now().plus(ROUNDING);
        assertThat(List.of(before, Instant.ofEpochSecond(ns / NS_PER_SECOND, ns % NS_PER_SECOND), after))
                .isSorted();
    }

    @Test
    void itNeverGoesBack() {
        EpochClock clock = new EpochClock();
        long lastNs = clock.getAsLong();
        for (int i = 0; i < 100_000; i++) {
            long nowNs = clock.getAsLong();
            if (nowNs < lastNs) {
                assertThat(nowNs).as("reading %d", i).isGreaterThanOrEqualTo(lastNs);
            }
            lastNs = nowNs;
        }
    }

    @Test
    void itAdvancesAsTimePasses() {
        EpochClock clock = new EpochClock();
        long beforeNs = System.nanoTime();
        long firstNs = clock.getAsLong();
        while (clock.getAsLong() - firstNs < 1_000_000) {
            Thread.onSpinWait();
        }
        assertThat(System.nanoTime() - beforeNs).isGreaterThanOrEqualTo(1_000_000);
    }

    @Test
    void itGivesTheTimeOfAClockThatIsAheadOrBehind() {
        EpochClock clock = new EpochClock();
        EpochClock behind = clock.shiftedBy(5 * NS_PER_SECOND).shiftedBy(-12 * NS_PER_SECOND);
        long beforeNs = clock.getAsLong();
        long toldNs = behind.getAsLong() + 7 * NS_PER_SECOND;
        assertThat(List.of(beforeNs, toldNs, clock.getAsLong())).isSorted();
    }
}
