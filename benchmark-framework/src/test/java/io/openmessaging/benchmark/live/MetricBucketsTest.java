package io.openmessaging.benchmark.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricBucketsTest {

    private final MetricBuckets buckets = new MetricBuckets();

    private static LatencySnapshot latencies(long... valuesNs) {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        double sumNs = 0;
        for (long valueNs : valuesNs) {
            histogram.recordValue(valueNs);
            sumNs += valueNs;
        }
        return new LatencySnapshot(histogram, sumNs, 0, 0);
    }

    private long upTo(double boundSeconds) {
        ClassicHistogramBuckets now = buckets.buckets();
        long count = 0;
        for (int i = 0; i < now.size(); i++) {
            if (now.getUpperBound(i) <= boundSeconds) {
                count += now.getCount(i);
            }
        }
        return count;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1e-6",
        "1000, 1e-6",
        "1001, 1.5e-6",
        "1500, 1.5e-6",
        "1999, 2e-6",
        "5000000, 5e-3",
        "5100000, 7e-3",
        "100000000000, 100",
        "101000000000, Infinity"
    })
    void aLatencyIsInTheBucketWhoseBoundIsNotBelowIt(long valueNs, double boundSeconds) {
        buckets.add(latencies(valueNs));

        assertThat(upTo(boundSeconds)).isEqualTo(1);
        assertThat(upTo(boundSeconds * 0.99)).isEqualTo(boundSeconds == Double.POSITIVE_INFINITY ? 1 : 0);
        assertThat(upTo(100)).isEqualTo(boundSeconds == Double.POSITIVE_INFINITY ? 0 : 1);
    }

    @Test
    void periodsAddUp() {
        buckets.add(latencies(900, 1_200, 40_000));
        ClassicHistogramBuckets before = buckets.buckets();
        buckets.add(latencies(1_300, 200_000_000_000L));

        assertThat(upTo(1e-6)).isEqualTo(1);
        assertThat(upTo(1.5e-6)).isEqualTo(3);
        assertThat(upTo(50e-6)).isEqualTo(4);
        assertThat(upTo(Double.POSITIVE_INFINITY)).isEqualTo(5);
        assertThat(buckets.sumSeconds()).isCloseTo(200.0000434, within(1e-9));
        assertThat(before.getCount(1)).as("what was served stays as it was").isEqualTo(1);
    }
}
