package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Periods are differences between readings of growing counts, so each sample is in exactly one. */
class LatencyPeriodsTest {

    private final LatencyRecorder recorder = new LatencyRecorder();
    private LatencyCounts before = new LatencyCounts();

    private LatencySnapshot sample(LatencyRecorder... recorders) {
        LatencyCounts now = new LatencyCounts();
        for (LatencyRecorder each : recorders) {
            each.addTo(now);
        }
        LatencySnapshot period = now.since(before);
        before = now;
        return period;
    }

    @Test
    void aPeriodHasWhatCameSinceTheLast() {
        recorder.record(100);
        recorder.record(-1);
        assertThat(sample(recorder)).satisfies(first -> {
            assertThat(first.count()).isEqualTo(2);
            assertThat(first.sumNs()).isEqualTo(100);
            assertThat(first.negativeCount()).isEqualTo(1);
        });
        recorder.record(200);
        recorder.record(Long.MAX_VALUE);
        assertThat(sample(recorder)).satisfies(second -> {
            assertThat(second.count()).isEqualTo(2);
            assertThat(second.histogram().getCountAtValue(100)).isZero();
            assertThat(second.histogram().getCountAtValue(200)).isEqualTo(1);
            assertThat(second.sumNs()).isEqualTo(200.0 + LatencyRecorder.MAX_NS);
            assertThat(second.negativeCount()).isZero();
            assertThat(second.saturatedCount()).isEqualTo(1);
        });
        assertThat(sample(recorder)).isEqualTo(LatencySnapshot.empty());
    }

    @Test
    void recordersAreAddedUpEvenIfOneIsNew() {
        LatencyRecorder later = new LatencyRecorder();
        recorder.record(100);
        assertThat(sample(recorder).count()).isEqualTo(1);
        recorder.record(100);
        later.record(100);
        later.record(1_000_000);
        LatencySnapshot both = sample(recorder, later);
        assertThat(both.count()).isEqualTo(3);
        assertThat(both.histogram().getCountAtValue(100)).isEqualTo(2);
        assertThat(both.sumNs()).isEqualTo(1_000_200);
    }

    @Test
    void allPeriodsTogetherAreWhatWasRecorded() {
        Random random = new Random(3);
        Histogram all = LatencySnapshot.newHistogram();
        double sumNs = 0;
        LatencySnapshot cumulative = LatencySnapshot.empty();
        for (int period = 0; period < 50; period++) {
            int magnitude = 1 + random.nextInt(40);
            for (int i = random.nextInt(1_000); i > 0; i--) {
                long valueNs = random.nextLong() >>> (Long.SIZE - magnitude);
                recorder.record(valueNs);
                all.recordValue(valueNs);
                sumNs += valueNs;
            }
            cumulative = cumulative.plus(sample(recorder));
        }
        assertThat(cumulative.histogram()).isEqualTo(all);
        assertThat(cumulative.sumNs()).isEqualTo(sumNs);
    }

    @Test
    void nothingIsLostOrDoubledWhileTheReaderReadsAndTheWriterWrites() throws InterruptedException {
        int samples = 3_000_000;
        CountDownLatch periodWithSamples = new CountDownLatch(1);
        Thread writer = new Thread(() -> {
            for (int i = 0; i < samples; i++) {
                if (i == samples / 2) {
                    awaitUninterrupted(periodWithSamples);
                }
                recorder.record(value(i));
            }
        });
        LatencySnapshot cumulative = sample(recorder);
        writer.start();
        List<Long> counts = new ArrayList<>();
        for (boolean last = false; !last; ) {
            last = !writer.isAlive();
            LatencySnapshot period = sample(recorder);
            counts.add(period.count());
            if (period.count() > 0) {
                periodWithSamples.countDown();
            }
            cumulative = cumulative.plus(period);
        }
        Patience.join(writer);

        Histogram expected = LatencySnapshot.newHistogram();
        double expectedSumNs = 0;
        for (int i = 0; i < samples; i++) {
            expected.recordValue(value(i));
            expectedSumNs += value(i);
        }
        assertThat(cumulative.histogram())
                .satisfies(all -> assertThat(all.equals(expected)).isTrue());
        assertThat(cumulative.sumNs()).isEqualTo(expectedSumNs);
        assertThat(counts).as("samples of each period").allMatch(count -> count >= 0 && count <= samples);
        assertThat(counts)
                .as("periods with samples")
                .filteredOn(count -> count > 0)
                .hasSizeGreaterThan(1);
    }

    /** Returns values of every magnitude up to a quarter of a second, so that rows are created while they are read. */
    private static long value(int i) {
        long scattered = i * 2_654_435_761L & (1L << 28) - 1;
        return scattered >>> (i & 15);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
