package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.suite.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class StallMeterTest {

    private static final long START_NS = 5_000_000_000L;
    private static final long MS = 1_000_000;

    private final StallMeter meter = new StallMeter(START_NS);
    private long nowNs = START_NS;

    /** Sleeps until the next wake-up is due, and {@code lateNs} longer. */
    private void sleep(long lateNs) {
        nowNs += meter.wokenAt(nowNs) + lateNs;
        meter.wokenAt(nowNs);
    }

    private static double msAt(LatencySnapshot stalls, double percentile) {
        return stalls.histogram().getValueAtPercentile(percentile) / 1e6;
    }

    @Test
    void theSlackOfTimersIsNoStall() {
        for (int i = 0; i < 1000; i++) {
            sleep(i % 2 == 0 ? 55_000 : StallMeter.SLACK_NS);
        }
        LatencySnapshot stalls = meter.sample();
        assertThat(stalls.count()).isEqualTo(1000);
        assertThat(stalls.histogram().getMaxValue()).isZero();
        assertThat(stalls.sumNs()).isZero();
    }

    @Test
    void whoSharesAMeterSeesTheSameFromThenOn() {
        sleep(0);
        StallMeter other = meter.shared();
        sleep(StallMeter.SLACK_NS + 50_000);

        assertThat(other.sample().sumNs()).isEqualTo(150_000);
        assertThat(other.sample().count()).isZero();
        assertThat(meter.sample().count()).isEqualTo(2);
    }

    @Test
    void whatIsMoreThanThatIsOneOfThatLength() {
        sleep(0);
        sleep(StallMeter.SLACK_NS + 50_000);
        LatencySnapshot stalls = meter.sample();
        assertThat(stalls.count()).isEqualTo(2);
        assertThat(stalls.sumNs()).isEqualTo(150_000);
    }

    @Test
    void aLongStallIsOneForEachMomentThatItLasts() {
        for (int i = 0; i < 900; i++) {
            sleep(0);
        }
        sleep(100 * MS);
        // The wake-up due at 901 ms is 100 ms late, the next one 99 ms, and the last one is on time.
        LatencySnapshot stalls = meter.sample();
        assertThat(stalls.count()).isEqualTo(1001);
        assertThat(stalls.sumNs()).isEqualTo(100 * 101 / 2 * MS);
        assertThat(msAt(stalls, 100)).isCloseTo(100, within(0.1));
        assertThat(msAt(stalls, 99)).isCloseTo(90, within(1.1));
        assertThat(msAt(stalls, 90)).isLessThan(1.1);
    }

    @Test
    void thereIsASampleForEachMillisecondWhateverHappens() {
        long[] lateNs = {0, 40_000, 3 * MS, 999_999, 17 * MS + 1, 0};
        for (int i = 0; i < 5_000; i++) {
            sleep(lateNs[i % lateNs.length]);
        }
        assertThat(meter.sample().count()).isEqualTo((nowNs - START_NS) / StallMeter.INTERVAL_NS);
    }

    @Test
    void wakingTooEarlyIsNothing() {
        assertThat(meter.wokenAt(START_NS + 400_000)).isEqualTo(600_000);
        assertThat(meter.sample().count()).isZero();
    }

    @Test
    void aSampleEndsAPeriod() {
        sleep(5 * MS);
        assertThat(meter.sample().histogram().getMaxValue()).isCloseTo(5 * MS, within(5_000L));
        sleep(0);
        LatencySnapshot next = meter.sample();
        assertThat(next.count()).isEqualTo(1);
        assertThat(next.histogram().getMaxValue()).isZero();
        assertThat(meter.sample().count()).isZero();
    }

    @Test
    void measuresUntilItIsClosed() {
        Patience.until("no meter runs", () -> running() == 0);
        StallMeter real = StallMeter.start();
        try {
            long[] seen = new long[1];
            Patience.until("it measures", () -> {
                seen[0] += real.sample().count();
                return seen[0] >= 50;
            });
            assertThat(running()).isEqualTo(1);
        } finally {
            real.close();
        }
        Patience.until("no meter runs", () -> running() == 0);
    }

    private static long running() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("stalls"))
                .filter(Thread::isDaemon)
                .count();
    }
}
