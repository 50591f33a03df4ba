package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyRecorderTest {

    private static final int BITS = 42;

    private final LatencyRecorder recorder = new LatencyRecorder();

    private static LatencySnapshot read(LatencyRecorder recorder) {
        LatencyCounts counts = new LatencyCounts();
        recorder.addTo(counts);
        return counts.since(new LatencyCounts());
    }

    private LatencySnapshot recorded(LongStream latenciesNs) {
        latenciesNs.forEach(recorder::record);
        return read(recorder);
    }

    @Test
    void bucketsAreThoseOfAnHdrHistogramOfThreeDigits() {
        Histogram hdr = new Histogram(LatencyRecorder.MAX_NS, 3);
        long expectedNs = 0;
        for (int row = 0; row < LatencyRecorder.ROWS; row++) {
            for (int column = 0; column < LatencyRecorder.ROW_LENGTH; column++) {
                long lowestNs = LatencyRecorder.lowestValueNs(row, column);
                if (lowestNs != expectedNs || hdr.lowestEquivalentValue(lowestNs) != lowestNs) {
                    assertThat(lowestNs)
                            .as("lowest value of row %d, column %d", row, column)
                            .isEqualTo(expectedNs)
                            .isEqualTo(hdr.lowestEquivalentValue(lowestNs));
                }
                expectedNs = hdr.nextNonEquivalentValue(lowestNs);
            }
        }
        assertThat(expectedNs).as("end of the last bucket").isEqualTo(LatencyRecorder.MAX_NS + 1);
    }

    @Test
    void valuesOfEveryMagnitudeAreCountedAsAnHdrHistogramDoes() {
        Histogram hdr = LatencySnapshot.newHistogram();
        Random random = new Random(1);
        for (int bit = 0; bit < BITS; bit++) {
            long powerNs = 1L << bit;
            LongStream.of(powerNs - 1, powerNs, powerNs + 1, powerNs * 2 - 1)
                    .filter(valueNs -> valueNs <= LatencyRecorder.MAX_NS)
                    .forEach(valueNs -> recordInBoth(valueNs, hdr));
            random.longs(2_000, powerNs, 2 * powerNs).forEach(valueNs -> recordInBoth(valueNs, hdr));
        }
        LatencySnapshot recorded = read(recorder);
        assertThat(recorded.histogram()).isEqualTo(hdr);
        assertThat(recorded.count()).isEqualTo(hdr.getTotalCount());
        assertThat(recorded.negativeCount()).isZero();
        assertThat(recorded.saturatedCount()).isZero();
    }

    private void recordInBoth(long valueNs, Histogram hdr) {
        recorder.record(valueNs);
        hdr.recordValue(valueNs);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1023, 1024, 2047, 2048, 2049, 4095, 4096, 1_000_000_007, (1L << 41) - 1, 1L << 41})
    void aValueIsFoundAgainInItsBucket(long valueNs) {
        LatencySnapshot recorded = recorded(LongStream.of(valueNs));
        assertThat(recorded.histogram().getCountAtValue(valueNs)).isEqualTo(1);
        assertThat(recorded.histogram().getMinValue())
                .isEqualTo(recorded.histogram().lowestEquivalentValue(valueNs));
        assertThat(recorded.sumNs()).isEqualTo(valueNs);
    }

    @Test
    void theLargestValueIsNotSaturatedYet() {
        LatencySnapshot recorded = recorded(LongStream.of(LatencyRecorder.MAX_NS));
        assertThat(recorded.saturatedCount()).isZero();
        assertThat(recorded.histogram().getMaxValue()).isEqualTo(LatencyRecorder.MAX_NS);
    }

    @ParameterizedTest
    @ValueSource(longs = {LatencyRecorder.MAX_NS + 1, 1L << 50, Long.MAX_VALUE})
    void aLargerValueIsCountedAsSaturated(long valueNs) {
        LatencySnapshot recorded = recorded(LongStream.of(valueNs, 5));
        assertThat(recorded.count()).isEqualTo(2);
        assertThat(recorded.saturatedCount()).isEqualTo(1);
        assertThat(recorded.histogram().getMaxValue()).isEqualTo(LatencyRecorder.MAX_NS);
        assertThat(recorded.sumNs()).isEqualTo(LatencyRecorder.MAX_NS + 5.0);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -1_000_000_000, Long.MIN_VALUE})
    void aNegativeValueIsCountedAsZeroAndAsNegative(long valueNs) {
        LatencySnapshot recorded = recorded(LongStream.of(valueNs, 7));
        assertThat(recorded.count()).isEqualTo(2);
        assertThat(recorded.negativeCount()).isEqualTo(1);
        assertThat(recorded.histogram().getCountAtValue(0)).isEqualTo(1);
        assertThat(recorded.sumNs()).isEqualTo(7);
    }

    @Test
    void theSumIsOfTheValuesNotOfTheBuckets() {
        long[] valuesNs = new Random(2).longs(10_000, 0, 1L << 33).toArray();
        assertThat(recorded(LongStream.of(valuesNs)).sumNs())
                .isEqualTo(LongStream.of(valuesNs).sum());
    }

    @Test
    void theSumOverManyPeriodsOutlastsALong() {
        // 4,000,000 messages waited 70 minutes each in a backlog: more nanoseconds than a long can hold.
        long waitNs = 70 * 60 * 1_000_000_000L;
        int messagesOfAPeriod = 1_000_000;
        LatencySnapshot all = LatencySnapshot.empty();
        LatencyCounts before = new LatencyCounts();
        for (int period = 0; period < 4; period++) {
            for (int i = 0; i < messagesOfAPeriod; i++) {
                recorder.record(waitNs);
            }
            LatencyCounts now = new LatencyCounts();
            recorder.addTo(now);
            all = all.plus(now.since(before));
            before = now;
        }
        assertThat(all.sumNs()).isEqualTo(4.0 * waitNs * messagesOfAPeriod).isGreaterThan(Long.MAX_VALUE);
        assertThat(all.summary().meanNs()).isEqualTo(waitNs);
    }

    @Test
    void memoryIsTakenOnlyForMagnitudesThatOccur() {
        assertThat(typical(new LatencyRecorder()))
                .as("warms up what is measured below")
                .isNotNull();
        assertThat(Allocations.bytesOf(LatencyRecorder::new))
                .as("an empty recorder, with four padded counters")
                .isLessThan(1_500);
        assertThat(Allocations.bytesOf(() -> typical(recorder)))
                .as("a recorder of 1 µs to 100 ms")
                .isLessThan(200_000);
        assertThat(Allocations.bytesOf(() -> typical(recorder)))
                .as("further samples of these magnitudes")
                .isLessThan(1_000);
    }

    private static LatencyRecorder typical(LatencyRecorder recorder) {
        for (long valueNs = 1_000; valueNs < 100_000_000; valueNs += 1 + valueNs / 10_000) {
            recorder.record(valueNs);
        }
        return recorder;
    }
}
