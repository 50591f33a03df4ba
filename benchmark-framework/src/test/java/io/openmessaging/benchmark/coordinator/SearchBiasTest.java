package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Errors of searches on systems whose capacity varies over time, in virtual time. The true capacity is the system's
 * mean rate, since a queue grows without end at any higher rate; with a bound, it is the highest rate at which a
 * measurement keeps the bound, or at which half of the measurements do where that is chance.
 */
class SearchBiasTest {

    private static final int SEARCHES = 10;
    private static final double FULL = 10_000;
    private static final String BOUNDED =
            "takes many searches of minutes; without a bound the same is shown in every suite";

    /** Results of searches; {@code parts} are the found rates as fractions of the true capacity. */
    private record Found(double[] parts, int covered, int confirmed, double meanSearchSeconds) {

        double bias() {
            return Arrays.stream(parts).average().orElseThrow() - 1;
        }

        double most() {
            return Arrays.stream(parts).max().orElseThrow();
        }

        double least() {
            return Arrays.stream(parts).min().orElseThrow();
        }
    }

    private static RunResult run(DoubleUnaryOperator capacity, String... lines) {
        VirtualTime time = new VirtualTime();
        ModelWorker worker = new ModelWorker(time);
        worker.timeMessages();
        worker.setCapacity(capacity);
        return Requests.run(Requests.request(lines), worker, new StopSignal(), new RecordingRunListener(), time);
    }

    private static Found search(double trueCapacity, IntFunction<DoubleUnaryOperator> systems, String slo) {
        double[] parts = new double[SEARCHES];
        int covered = 0;
        int confirmed = 0;
        double seconds = 0;
        for (int i = 0; i < SEARCHES; i++) {
            RunResult result =
                    run(systems.apply(i), "producerRate: 0", "messageSize: 100", "testDuration: 10s", "slo: " + slo);
            RunResult.Search search = Objects.requireNonNull(result.search());
            RunResult.RateRange range = Objects.requireNonNull(search.range());
            if (slo.isEmpty()) {
                assertThat(range.isFound())
                        .as("%s is a figure to rely on", range)
                        .isTrue();
            }
            parts[i] = Objects.requireNonNull(search.sustainableRateMsgPerSec()) / trueCapacity;
            boolean covers = range.lowMsgPerSec() <= trueCapacity
                    && Objects.requireNonNull(range.highMsgPerSec()) >= trueCapacity;
            covered += covers ? 1 : 0;
            confirmed += result.confirmedRateMsgPerSec() == null ? 0 : 1;
            seconds += result.phases().stream()
                    .filter(phase -> phase.name().equals("search"))
                    .mapToDouble(RunResult.Phase::seconds)
                    .sum();
        }
        return new Found(parts, covered, confirmed, seconds / SEARCHES);
    }

    /** Drops to 40 % for six seconds in every 30; each system starts the cycle at a different time. */
    private static DoubleUnaryOperator cycle(int number) {
        double begin = 30.0 * number / SEARCHES;
        return seconds -> FULL * ((seconds + begin) % 30 < 6 ? 0.4 : 1);
    }

    /** Changes the capacity every ten seconds, with a standard deviation of 10 %. */
    private static DoubleUnaryOperator noise(int seed) {
        return noise(FULL, seed, 0.1, 10);
    }

    private static DoubleUnaryOperator noise(double capacity, int seed, double deviation, double eachS) {
        Random random = new Random(seed);
        double[] factors = new double[(int) (10_000 / eachS)];
        Arrays.setAll(factors, i -> 1 + deviation * random.nextGaussian());
        return seconds -> capacity * factors[(int) (seconds / eachS)];
    }

    /** Finds by bisection the highest rate, to 1 %, at which the p99 of ten minutes is at most the limit. */
    private static double capacityWithin(double limitMs, DoubleUnaryOperator system) {
        double kept = 0.3 * FULL;
        double missed = FULL;
        while (missed > 1.01 * kept) {
            double rate = Math.sqrt(kept * missed);
            RunResult result = run(
                    system,
                    "producerRate: " + Math.round(rate),
                    "messageSize: 100",
                    "testDuration: 10m",
                    "slo: {scheduledPublishLatency99pct: " + Math.round(limitMs) + "ms}");
            boolean passed = result.course().slo().get(0).passed();
            kept = passed ? rate : kept;
            missed = passed ? missed : rate;
        }
        return kept;
    }

    @Test
    void aSystemThatStallsAtTimesIsNotOverrated() {
        Found found = search(0.88 * FULL, SearchBiasTest::cycle, "");
        assertThat(found.bias()).isBetween(-0.05, 0.05);
        assertThat(found.most()).isLessThan(1.03);
        assertThat(found.least()).isGreaterThan(0.92);
        assertThat(found.covered()).isEqualTo(SEARCHES);
        assertThat(found.confirmed())
                .as("at a lower rate where the first is not held")
                .isGreaterThanOrEqualTo(SEARCHES * 9 / 10);
        assertThat(found.meanSearchSeconds()).isLessThan(300);
    }

    @Test
    void aSystemWhoseCapacityVariesByChanceIsNeitherOverratedNorUnderrated() {
        Found found = search(FULL, SearchBiasTest::noise, "");
        assertThat(found.bias()).isBetween(-0.05, 0.05);
        assertThat(found.most()).isLessThan(1.15);
        assertThat(found.covered()).isGreaterThanOrEqualTo(SEARCHES * 8 / 10);
        assertThat(found.meanSearchSeconds()).isLessThan(240);
    }

    @Test
    @LongSuite(BOUNDED)
    void withABoundASystemThatStallsAtTimesIsNotOverratedEither() {
        double capacity = capacityWithin(2_000, cycle(0));
        Found found = search(capacity, SearchBiasTest::cycle, "{scheduledPublishLatency99pct: 2s}");
        assertThat(found.bias()).isBetween(-0.05, 0.05);
        assertThat(found.most()).isLessThan(1.05);
    }

    @Test
    @LongSuite(BOUNDED)
    void withABoundChanceDoesNotBiasTheRateEither() {
        // At this rate half of 40 one-minute measurements keep the bound: 25 at 92 % of the full capacity, 10 at 96 %.
        double capacity = 0.935 * FULL;
        Found found = search(capacity, SearchBiasTest::noise, "{scheduledPublishLatency99pct: 1s}");
        assertThat(found.bias()).isBetween(-0.05, 0.05);
    }

    @Test
    void searchesOfASteadySystemAgree() {
        for (double capacity : new double[] {4_500, 198_000}) {
            Found found = search(capacity, seed -> noise(capacity, seed, 0.05, 0.1), "");
            assertThat(found.most() / found.least()).isLessThan(1.1);
            assertThat(found.bias()).isBetween(-0.05, 0.03);
            assertThat(found.covered()).isGreaterThanOrEqualTo(SEARCHES * 8 / 10);
            assertThat(found.confirmed()).isGreaterThanOrEqualTo(SEARCHES * 9 / 10);
            assertThat(found.meanSearchSeconds()).isLessThan(160);
        }
    }
}
