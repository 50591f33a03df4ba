package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PublishStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DebtTest {

    private static final long MS_NS = 1_000_000;
    private static final long SECOND_NS = 1_000 * MS_NS;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final long NO_QUOTA = Long.MAX_VALUE;

    private final Measurements measurements = new Measurements(() -> START_NS, 0);
    private final PublishStats stats = measurements.newPublisher();

    private LatencySnapshot unsent(Schedule schedule, long byNs, long most, long endNs) {
        Debt.tell(schedule, byNs, most, endNs, stats);
        return measurements.takeUnsent();
    }

    @Test
    void eachMessageThatWasDueHasWaitedUntilTheEnd() {
        Schedule schedule = Schedule.even(START_NS, 1_000);
        for (int i = 0; i < 100; i++) {
            schedule.advance();
        }
        // These messages are due from 100 ms to 110 ms.
        LatencySnapshot unsent = unsent(schedule, START_NS + 110 * MS_NS, NO_QUOTA, START_NS + SECOND_NS);
        assertThat(unsent.count()).isEqualTo(11);
        assertThat(unsent.sumNs()).isEqualTo(11 * 895.0 * MS_NS);
        assertThat(measurements.takeUnsent().count()).isZero();
        assertThat(measurements.totals().sent()).isZero();
    }

    @Test
    void noMoreIsOwedThanTheQuota() {
        Schedule schedule = Schedule.even(START_NS, 1_000);
        assertThat(unsent(schedule, START_NS + SECOND_NS, 7, START_NS + SECOND_NS)
                        .count())
                .isEqualTo(7);
        assertThat(unsent(schedule, START_NS + SECOND_NS, 0, START_NS + SECOND_NS)
                        .count())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, Double.POSITIVE_INFINITY})
    void whoSendsNothingOrWhatItCanOwesNothing(double rate) {
        Schedule schedule = Schedule.even(START_NS, rate);
        assertThat(unsent(schedule, START_NS + SECOND_NS, NO_QUOTA, START_NS + SECOND_NS)
                        .count())
                .isZero();
    }

    @Test
    void ratesThatChangedAreOwedByTheirTimes() {
        Schedule schedule = Schedule.even(START_NS, 1_000);
        schedule.changeRate(START_NS + SECOND_NS, 10);
        assertThat(unsent(schedule, START_NS + 2 * SECOND_NS - 1, NO_QUOTA, START_NS + 2 * SECOND_NS)
                        .count())
                .isEqualTo(1_010);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e6, 1e7, 1e9})
    void aDebtOfAnySizeIsToldSoon(double rate) {
        LatencySnapshot unsent = unsent(
                Schedule.even(START_NS, rate), START_NS + 100 * SECOND_NS - 1, NO_QUOTA, START_NS + 100 * SECOND_NS);
        assertThat((double) unsent.count()).isCloseTo(100 * rate, within(1e-4 * 100 * rate));
        assertThat(unsent.sumNs() / unsent.count()).isCloseTo(50.0 * SECOND_NS, within(0.001 * 50 * SECOND_NS));
        assertThat((double) unsent.histogram().getValueAtPercentile(99))
                .isCloseTo(99.0 * SECOND_NS, within(0.002 * 99 * SECOND_NS));
    }

    @Test
    void independentArrivalsAreOwedInTheMean() {
        Schedule schedule = Schedule.poisson(START_NS, RateProfile.steady(1e6), 7);
        LatencySnapshot unsent = unsent(schedule, START_NS + 10 * SECOND_NS, NO_QUOTA, START_NS + 10 * SECOND_NS);
        assertThat((double) unsent.count()).isCloseTo(1e7, within(2e4));
    }
}
