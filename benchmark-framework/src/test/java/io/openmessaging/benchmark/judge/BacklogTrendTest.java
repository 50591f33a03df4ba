package io.openmessaging.benchmark.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.Totals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Simulated systems: times are seconds since the start of the measurement; each message has a send and an arrival
 * time.
 */
class BacklogTrendTest {

    private static final int SEEDS = 12;

    private double warmupS = 1;

    /** Send times in regular intervals, from the start of the warm-up to the end of the measurement. */
    private double[] even(double rate, double seconds) {
        double[] sentS = new double[(int) Math.ceil((warmupS + seconds) * rate)];
        Arrays.setAll(sentS, i -> i / rate - warmupS);
        return sentS;
    }

    private double[] poisson(double rate, double seconds, Random random) {
        List<Double> sentS = new ArrayList<>();
        for (double atS = -warmupS; atS < seconds; atS += exponential(random, 1 / rate)) {
            sentS.add(atS);
        }
        return sentS.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double exponential(Random random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    private static double[] each(double[] timesS, DoubleUnaryOperator later) {
        return Arrays.stream(timesS).map(later).sorted().toArray();
    }

    private static double[] late(double[] sentS, double latencyS) {
        return each(sentS, atS -> atS + latencyS);
    }

    /** Arrival times in batches, one per {@code everyS}, shifted by {@code phaseS}. */
    private static double[] inBatches(double[] arrivedS, double everyS, double phaseS) {
        return each(arrivedS, atS -> phaseS + everyS * Math.ceil((atS - phaseS) / everyS));
    }

    /** Arrival times with one consumer that handles one message after the other. */
    private static double[] consumed(double[] sentS, DoubleSupplier serviceS) {
        double[] arrivedS = new double[sentS.length];
        double freeS = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < sentS.length; i++) {
            freeS = Math.max(freeS, sentS[i]) + serviceS.getAsDouble();
            arrivedS[i] = freeS;
        }
        return arrivedS;
    }

    private static long until(double[] timesS, double nowS) {
        int low = 0;
        int high = timesS.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (timesS[middle] <= nowS) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Gives the trend what a measurement of this many seconds looks at. */
    private static BacklogTrend watch(BacklogTrend trend, double seconds, double[] sentS, double[]... arrivedS) {
        double lookS = Math.max(0.01, Math.min(0.1, seconds / 500));
        for (int look = 0; look * lookS <= seconds; look++) {
            double nowS = look * lookS;
            long sent = until(sentS, nowS);
            List<Long> received =
                    Arrays.stream(arrivedS).map(times -> until(times, nowS)).toList();
            trend.look(Math.round(nowS * 1e9), new Totals(sent, sent, 0, received, 0));
        }
        return trend;
    }

    private static BacklogTrend watchEven(double seconds, double[] sentS, double[]... arrivedS) {
        return watch(new BacklogTrend(false, true), seconds, sentS, arrivedS);
    }

    private static BacklogTrend watchRandom(double seconds, double[] sentS, double[]... arrivedS) {
        return watch(new BacklogTrend(true, true), seconds, sentS, arrivedS);
    }

    private static void assertNothing(BacklogTrend trend, double shortestLatencyS, String what) {
        assertThat(trend.growth(shortestLatencyS)).as(what).isEmpty();
        assertThat(trend.shrinkage()).as(what).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "150, 5",
        "150, 10",
        "150, 60",
        "150, 600",
        "50, 3600",
        "2000, 5",
        "2000, 20",
        "2000, 60",
        "50000, 5",
        "100, 5"
    })
    void aConsumerThatIsTooSlowIsFound(double rate, double seconds) {
        for (double share : new double[] {0.65, 0.81, 0.95}) {
            double[] sentS = even(rate, seconds);
            double[] slowS = consumed(sentS, () -> 1 / (share * rate));
            BacklogTrend.Growth grown =
                    watchEven(seconds, sentS, sentS, slowS).growth(0.001).orElseThrow();
            assertThat(grown.subscription()).isEqualTo(1);
            assertThat((double) grown.leftMessages())
                    .isCloseTo((1 - share) * rate * (seconds + warmupS), within(0.01 * rate * seconds + 2));
            // This also holds for random service and for batches.
            Random random = new Random(1);
            double[] randomS = consumed(sentS, () -> exponential(random, 1 / (share * rate)));
            double[] batchedS = inBatches(slowS, 0.4, 0.123);
            assertThat(watchEven(seconds, sentS, batchedS).growth(0.001)).isPresent();
            if ((1 - share) * rate * seconds > 100) {
                assertThat(watchEven(seconds, sentS, randomS).growth(0.001)).isPresent();
            }
        }
    }

    /** In an hour, half a per cent is 18 seconds of load. */
    @Test
    void inTimeAlsoASlowTrendIsFound() {
        double[] sentS = even(150, 3600);
        assertThat(watchEven(3600, sentS, consumed(sentS, () -> 1 / (0.995 * 150)))
                        .growth(0.001))
                .isPresent();
        assertThat(watchEven(3600, sentS, consumed(sentS, () -> 1 / (0.9999 * 150)))
                        .growth(0.001))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.65, 5", "0.65, 60", "0.81, 15", "0.81, 60", "0.95, 600", "0.95, 3600", "0.99, 3600"})
    void ofRandomArrivalsItIsFoundOnceItIsMoreThanChance(double share, double seconds) {
        for (int seed = 0; seed < 5; seed++) {
            double[] sentS = poisson(150, seconds, new Random(seed));
            double[] slowS = consumed(sentS, () -> 1 / (share * 150));
            assertThat(watchRandom(seconds, sentS, slowS).growth(0.001))
                    .as("seed %d", seed)
                    .isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource({"150, 5", "150, 60", "0.5, 6", "3, 10", "20000, 5", "5, 3600"})
    void aLatencyThatStaysTheSameIsNoTrend(double rate, double seconds) {
        for (double latencyS : new double[] {0, 0.3, 2}) {
            for (double warmedUpS : new double[] {0, 1, 10}) {
                warmupS = warmedUpS;
                double[] sentS = even(rate, seconds);
                String what = latencyS + " s after a warm-up of " + warmedUpS;
                assertNothing(watchEven(seconds, sentS, late(sentS, latencyS)), latencyS, what);
                double[] randomS = poisson(rate, seconds, new Random(4));
                assertNothing(watchRandom(seconds, randomS, late(randomS, latencyS)), latencyS, what);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {5, 7, 20, 60, 600})
    void batchesAreNoTrend(double seconds) {
        warmupS = 10;
        Random random = new Random(3);
        for (int i = 0; i < SEEDS; i++) {
            double everyS = 0.01 + random.nextDouble() * 0.8 * Math.min(seconds, 20);
            double[] sentS = even(200, seconds);
            double[] arrivedS = inBatches(late(sentS, 0.05), everyS, random.nextDouble() * everyS);
            assertNothing(watchEven(seconds, sentS, arrivedS), 0.05, "every " + everyS + " s");
        }
    }

    /** A queue that is nearly always busy fluctuates by itself. */
    @ParameterizedTest
    @CsvSource({"150, 5, 0.5", "150, 5, 0.8", "150, 60, 0.9", "150, 300, 0.95", "5000, 5, 0.9", "10, 5, 0.8"})
    void chanceIsNoTrend(double rate, double seconds, double utilisation) {
        warmupS = 10;
        int found = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            DoubleSupplier serviceS = () -> exponential(random, utilisation / rate);
            double[] sentS = poisson(rate, seconds, random);
            assertNothing(watchRandom(seconds, sentS, consumed(sentS, serviceS)), 0, "seed " + seed);
            double[] evenS = even(rate, seconds);
            BacklogTrend trend = watchEven(seconds, evenS, consumed(evenS, serviceS));
            found += trend.growth(0).isPresent() || trend.shrinkage().isPresent() ? 1 : 0;
        }
        assertThat(found).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1000, 5, 0.2", "1000, 60, 1", "150, 5, 1", "20000, 5, 0.05"})
    void latenciesThatScatterAreNoTrend(double rate, double seconds, double meanS) {
        warmupS = 10;
        for (int seed = 0; seed < SEEDS / 4; seed++) {
            Random random = new Random(seed);
            double[] sentS = even(rate, seconds);
            assertNothing(
                    watchEven(seconds, sentS, each(sentS, atS -> atS + exponential(random, meanS))), 0, "seed " + seed);
        }
    }

    /** Nothing arrives for half a second in every three, and once for a whole second; then all of it does. */
    @ParameterizedTest
    @ValueSource(doubles = {0.2, 1.4, 2.9, 3.6, 4.3})
    void pausesThatAreMadeUpForAreNoTrend(double beginS) {
        double[] sentS = even(1000, 5);
        double[] pausedS = each(sentS, atS -> atS > beginS && atS < beginS + 0.5 ? beginS + 0.5 : atS);
        assertNothing(watchEven(5, sentS, pausedS), 0, "paused");
        double[] longSentS = even(1000, 60);
        double[] flushedS = each(longSentS, atS -> (atS + 100) % 3 < 0.5 ? atS + 0.5 - (atS + 100) % 3 : atS);
        assertNothing(watchEven(60, longSentS, flushedS), 0, "flushed");
    }

    @ParameterizedTest
    @CsvSource({"10, 5", "60, 50", "3600, 3590"})
    void consumersThatStopAreBehind(double seconds, double stopS) {
        double[] sentS = even(100, seconds);
        double[] stoppedS = each(sentS, atS -> atS < stopS ? atS : Double.POSITIVE_INFINITY);
        BacklogTrend.Growth grown =
                watchEven(seconds, sentS, stoppedS).growth(0).orElseThrow();
        assertThat((double) grown.leftMessages()).isCloseTo(100 * (seconds - stopS), within(2.0));
    }

    @Test
    void whatIsNotConfirmedEitherIsNotTheConsumersFault() {
        BacklogTrend trend = new BacklogTrend(false, true);
        for (long i = 0; i <= 500; i++) {
            trend.look(i * 10_000_000, new Totals(10 * i, 9 * i, 0, List.of(9 * i), 0));
        }
        assertThat(trend.growth(0)).isEmpty();
        assertThat(trend.unacknowledgedGrowth(0).orElseThrow().leftMessages()).isEqualTo(500);
    }

    /** The load is 2,000 msg/s; 2,220 messages of the warm-up arrive as fast as consumers can take them. */
    @ParameterizedTest
    @ValueSource(doubles = {2100, 2500, 4000, 20000})
    void whatTheWarmUpLeftAndArrivesWithinIsFound(double capacity) {
        warmupS = 1.11;
        double[] sentS = even(2000, 20);
        double[] heldS = each(sentS, atS -> Math.max(0, atS));
        double[] drainedS = consumed(heldS, () -> 1 / capacity);
        BacklogTrend trend = watchEven(20, sentS, sentS, drainedS);
        assertThat(trend.growth(0)).isEmpty();
        BacklogTrend.Growth shrunk = trend.shrinkage().orElseThrow();
        assertThat(shrunk.subscription()).isEqualTo(1);
        assertThat((double) shrunk.messages()).isCloseTo(Math.min(2220, 20 * (capacity - 2000)), within(250.0));
    }

    @Test
    void whatIsSentMoreIsInFlightMore() {
        // The rate rises from 100 to 10,000 msg/s in a minute; each message takes half a second.
        double[] sentS = new double[303_000];
        Arrays.setAll(sentS, i -> (-100 + Math.sqrt(10_000 + 2 * 165.0 * i)) / 165);
        BacklogTrend trend = watch(new BacklogTrend(false, false), 60, sentS, late(sentS, 0.5));
        assertNothing(trend, 0, "a ramp");
        double[] slowS = consumed(sentS, () -> 1 / 6000.0);
        assertThat(watch(new BacklogTrend(false, false), 60, sentS, slowS).growth(0.0002))
                .isPresent();
    }

    @Test
    void ofAFewLooksNothingIsSaid() {
        BacklogTrend trend = new BacklogTrend(false, true);
        assertNothing(trend, 0, "no look");
        trend.look(5, new Totals(0, 0, 0, List.of(0L), 0));
        trend.look(1_000_000_005, new Totals(1000, 1000, 0, List.of(0L), 0));
        assertNothing(trend, 0, "two looks");
    }

    @Test
    void whatIsToleratedIsOneInAHundredWithinBounds() {
        assertThat(BacklogTrend.tolerated(1000, 50)).isCloseTo(500, within(0.001));
        assertThat(BacklogTrend.tolerated(1000, 5000)).isEqualTo(1000);
        assertThat(BacklogTrend.tolerated(1000, 1)).isEqualTo(21);
        assertThat(BacklogTrend.tolerated(0.5, 5000)).isCloseTo(1.01, within(0.001));
    }
}
