package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencySummaryTest {

    private static LatencySnapshot of(LongStream valuesNs) {
        LatencyRecorder recorder = new LatencyRecorder();
        valuesNs.forEach(recorder::record);
        LatencyCounts counts = new LatencyCounts();
        recorder.addTo(counts);
        return counts.since(new LatencyCounts());
    }

    @Test
    void withoutSamplesEverythingIsZero() {
        LatencySummary summary = LatencySnapshot.empty().summary();
        assertThat(summary.count()).isZero();
        assertThat(summary.minNs()).isZero();
        assertThat(summary.meanNs()).isZero();
        assertThat(summary.maxNs()).isZero();
        assertThat(summary.percentileNs().keySet()).containsExactlyElementsOf(LatencySummary.PERCENTILES);
        assertThat(summary.percentileNs().values()).containsOnly(0L);
    }

    @Test
    void smallValuesAreExact() {
        LatencySummary summary = of(LongStream.rangeClosed(1, 2_000)).summary();
        assertThat(summary.count()).isEqualTo(2_000);
        assertThat(summary.minNs()).isEqualTo(1);
        assertThat(summary.meanNs()).isEqualTo(1_000.5);
        assertThat(summary.atNs(50)).isEqualTo(1_000);
        assertThat(summary.atNs(75)).isEqualTo(1_500);
        assertThat(summary.atNs(95)).isEqualTo(1_900);
        assertThat(summary.atNs(99)).isEqualTo(1_980);
        assertThat(summary.atNs(99.9)).isEqualTo(1_998);
        assertThat(summary.atNs(99.99)).isEqualTo(2_000);
        assertThat(summary.atNs(99.999)).isEqualTo(2_000);
        assertThat(summary.maxNs()).isEqualTo(2_000);
    }

    @Test
    void percentilesAreWithinThreeDigitsOfTheSortedValues() {
        long[] valuesNs = new Random(4)
                .doubles(200_000)
                .mapToLong(x -> (long) (1_000 * Math.pow(10, 6 * x)))
                .sorted()
                .toArray();
        LatencySummary summary = of(LongStream.of(valuesNs)).summary();
        for (double percentile : LatencySummary.PERCENTILES) {
            long exactNs = valuesNs[(int) Math.ceil(percentile / 100 * valuesNs.length) - 1];
            assertThat((double) summary.atNs(percentile))
                    .as("percentile %s", percentile)
                    .isBetween(exactNs * 0.999, exactNs * 1.001);
        }
        assertThat(summary.meanNs()).isEqualTo((double) LongStream.of(valuesNs).sum() / valuesNs.length);
    }

    @Test
    void zeroNegativeAndSaturatedAreTold() {
        LatencySummary summary = of(LongStream.of(-5, 0, 0, 3, Long.MAX_VALUE)).summary();
        assertThat(summary.count()).isEqualTo(5);
        assertThat(summary.minNs()).isZero();
        assertThat(summary.zeroCount()).isEqualTo(3);
        assertThat(summary.negativeCount()).isEqualTo(1);
        assertThat(summary.saturatedCount()).isEqualTo(1);
        assertThat(summary.maxNs()).isEqualTo(LatencyRecorder.MAX_NS);
    }

    @Test
    void aPercentileThatIsNotReportedIsRefused() {
        LatencySummary summary = LatencySnapshot.empty().summary();
        assertThatThrownBy(() -> summary.atNs(42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("42")
                .hasMessageContaining("99.999");
    }

    @Test
    void snapshotsOfDifferentMagnitudesAreAdded() {
        LatencySnapshot small = of(LongStream.of(1, -1));
        LatencySnapshot large = of(LongStream.of(LatencyRecorder.MAX_NS, Long.MAX_VALUE));
        Histogram smallBefore = small.histogram().copy();
        for (LatencySnapshot sum : new LatencySnapshot[] {small.plus(large), large.plus(small)}) {
            assertThat(sum.count()).isEqualTo(4);
            assertThat(sum.negativeCount()).isEqualTo(1);
            assertThat(sum.saturatedCount()).isEqualTo(1);
            assertThat(sum.sumNs()).isEqualTo(1 + 2.0 * LatencyRecorder.MAX_NS);
            assertThat(sum.histogram().getCountAtValue(LatencyRecorder.MAX_NS)).isEqualTo(2);
        }
        assertThat(small.histogram()).as("a summand, afterwards").isEqualTo(smallBefore);
    }

    @ParameterizedTest
    @CsvSource({
        "19, 50, true", "20, 50, false",
        "999, 99, true", "1000, 99, false",
        "9999, 99.9, true", "10000, 99.9, false",
        "99999, 99.99, true", "100000, 99.99, false",
        "999999, 99.999, true", "1000000, 99.999, false",
    })
    void aPercentileRestsOnTheSamplesBeyondIt(long count, double percentile, boolean few) {
        assertThat(LatencySnapshot.of(1_000, count).summary().restsOnFew(percentile))
                .isEqualTo(few);
    }
}
