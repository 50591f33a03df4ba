package io.openmessaging.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSweepTest {

    private static final long SECOND_NS = 1_000_000_000;

    private static LoadStep step(double rate, double p99Ms, Latency latency, boolean sustained) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount((long) (p99Ms * 1e6), 1000);
        Map<Latency, LatencySnapshot> latencies =
                p99Ms == 0 ? Map.of() : Map.of(latency, new LatencySnapshot(histogram, 1000 * p99Ms * 1e6, 0, 0));
        long sent = Math.round(rate);
        Totals counts = new Totals(sent, sent, 0, List.of(sent), 0);
        return new LoadStep(
                1,
                1,
                new PeriodSnapshot(0, SECOND_NS, counts, counts, latencies),
                sustained ? null : new Breach("pace", "fell behind"),
                ResourcePeriod.NONE,
                rate);
    }

    private static RateSweep sweep(double from, double factor, int steps, DoubleUnaryOperator p99Ms, double capacity) {
        List<LoadStep> rates = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            double rate = from * Math.pow(factor, i);
            rates.add(step(rate, p99Ms.applyAsDouble(rate), Latency.SCHEDULED_END_TO_END, rate < capacity));
        }
        return new RateSweep(rates);
    }

    private static double knee(RateSweep sweep) {
        Double target = sweep.knee().orElseThrow().targetMsgPerSec();
        return target == null ? Double.NaN : target;
    }

    /** The response time of one server is 1/(μ − λ): power is λ·(μ − λ), highest at half of the capacity. */
    @ParameterizedTest
    @ValueSource(doubles = {1000, 54_321, 1e6})
    void theKneeOfASingleServerIsAtHalfItsCapacity(double capacity) {
        RateSweep sweep = sweep(capacity / 100, 1.05, 94, rate -> 1e6 / (capacity - rate), capacity);
        assertThat(knee(sweep)).isCloseTo(capacity / 2, within(capacity * 0.03));
    }

    /** Latency does not depend on load until the system is full, so the knee is where it is full. */
    @Test
    void theKneeOfAFlatLatencyIsTheHighestRateSustained() {
        RateSweep sweep = sweep(1000, 2, 6, rate -> 5 + (rate > 10_000 ? 1 : 0), 20_000);
        assertThat(knee(sweep)).isEqualTo(16_000);
    }

    /** Clients that gather messages are slower at low rates, but that is no knee. */
    @Test
    void aLatencyThatFallsAtFirstDoesNotMislead() {
        RateSweep sweep = sweep(1000, 2, 8, rate -> 10_000 / rate + rate * rate / 1e9, 1e9);
        assertThat(knee(sweep)).isEqualTo(32_000);
    }

    @Test
    void oneRateWithAHiccupDoesNotMoveIt() {
        RateSweep sweep = sweep(1000, 2, 6, rate -> rate == 4000 ? 500 : 5, 20_000);
        assertThat(knee(sweep)).isEqualTo(16_000);
    }

    @Test
    void aRateThatIsNotSustainedIsNeverTheKnee() {
        RateSweep sweep = sweep(1000, 2, 6, rate -> 5, 5000);
        assertThat(knee(sweep)).isEqualTo(4000);
        assertThat(sweep.highestSustained()).isEqualTo(sweep.knee());
    }

    @Test
    void whereNoneIsSustainedTheFirstRateHasTheHeadline() {
        RateSweep sweep = sweep(1000, 2, 3, rate -> 5, 500);
        assertThat(sweep.knee()).isEmpty();
        assertThat(sweep.highestSustained()).isEmpty();
        assertThat(sweep.headline()).contains(sweep.steps().get(0));
    }

    @Test
    void theLatencyIsTheMostComprehensiveThatAllRatesHave() {
        LoadStep both = step(1000, 5, Latency.SCHEDULED_END_TO_END, true);
        LoadStep publishOnly = step(2000, 7, Latency.SCHEDULED_PUBLISH, true);
        assertThat(new RateSweep(List.of(both)).latency()).contains(Latency.SCHEDULED_END_TO_END);
        assertThat(new RateSweep(List.of(publishOnly)).latency()).contains(Latency.SCHEDULED_PUBLISH);
        assertThat(new RateSweep(List.of(publishOnly)).p99Ns(publishOnly)).isBetween(6_990_000L, 7_010_000L);
        assertThat(new RateSweep(List.of(both, publishOnly)).latency()).isEmpty();
    }

    @Test
    void withoutALatencyTheHighestRateIsTheKnee() {
        assertThat(knee(sweep(1000, 2, 4, rate -> 0, 5000))).isEqualTo(4000);
    }
}
