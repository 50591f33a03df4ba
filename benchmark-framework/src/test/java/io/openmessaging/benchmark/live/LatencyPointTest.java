package io.openmessaging.benchmark.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.live.PeriodPoint.LatencyPoint;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyPointTest {

    private static LatencyPoint of(Histogram histogram) {
        return LatencyPoint.of(new LatencySnapshot(histogram, 0, 0, 0));
    }

    private static Histogram histogram(long seed, long count, double medianNs) {
        SplittableRandom random = new SplittableRandom(seed);
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        for (long i = 0; i < count; i++) {
            histogram.recordValue((long) (medianNs * Math.exp(-Math.log(random.nextDouble()))));
        }
        return histogram;
    }

    @Test
    void onePeriodHasThePercentilesOfItsHistogram() {
        Histogram histogram = histogram(1, 10_000, 1e6);
        LatencyPoint point = of(histogram);
        assertThat(point.count()).isEqualTo(10_000);
        assertThat(point.p50Ns()).isEqualTo(histogram.getValueAtPercentile(50));
        assertThat(point.p999Ns()).isEqualTo(histogram.getValueAtPercentile(99.9));
        assertThat(point.maxNs()).isEqualTo(histogram.getMaxValue());
        assertThat(point.rowCounts().stream().mapToLong(Long::longValue).sum()).isEqualTo(10_000);
        assertThat(point.rowCounts().get(0)).as("no empty rows at the ends").isPositive();
        assertThat(point.rowCounts().get(point.rowCounts().size() - 1)).isPositive();
    }

    /** A row is 21 % high, and the reported value lies within it. */
    @Test
    void joinedPeriodsHaveThePercentilesOfBothAsExactlyAsRowsTell() {
        for (int seed = 0; seed < 50; seed++) {
            Histogram one = histogram(seed, 2_000, 1e6);
            Histogram other = histogram(seed + 1_000, 5_000, 3e6);
            LatencyPoint joined = of(one).followedBy(of(other));
            Histogram both = one.copy();
            both.add(other);

            assertThat(joined.count()).isEqualTo(7_000);
            assertClose(joined.p50Ns(), both.getValueAtPercentile(50));
            assertClose(joined.p99Ns(), both.getValueAtPercentile(99));
            assertClose(joined.p999Ns(), both.getValueAtPercentile(99.9));
            assertThat(joined.maxNs()).isEqualTo(both.getMaxValue());
        }
    }

    private static void assertClose(long read, long trueNs) {
        assertThat((double) read / trueNs).isCloseTo(1, within(0.22));
    }

    @Test
    void likePeriodsJoinedStayAsTheyAre() {
        Histogram histogram = histogram(7, 1_000, 1e6);
        LatencyPoint joined = of(histogram).followedBy(of(histogram));
        assertThat(joined.p99Ns()).isEqualTo(histogram.getValueAtPercentile(99));
        assertThat(joined.p50Ns()).isEqualTo(histogram.getValueAtPercentile(50));
    }

    @Test
    void whatIsBeyondTheScaleCountsAtItsEnds() {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        histogram.recordValue(0);
        histogram.recordValue(3_600_000_000_000L);
        LatencyPoint point = of(histogram);
        assertThat(point.firstRow()).isZero();
        assertThat(point.rowCounts()).hasSize(LatencyPoint.ROWS);
        assertThat(point.followedBy(point).count()).isEqualTo(4);
    }

    @Test
    void rowsBeginWhereTheyAreSaidTo() {
        for (int row = 1; row < LatencyPoint.ROWS; row++) {
            long aboveNs = Math.round(LatencyPoint.beginNs(row) * 1.001);
            assertThat(LatencyPoint.rowOf(aboveNs)).isEqualTo(row);
        }
        assertThat(LatencyPoint.beginNs(LatencyPoint.ROWS)).isCloseTo(100e9, within(1.0));
    }
}
