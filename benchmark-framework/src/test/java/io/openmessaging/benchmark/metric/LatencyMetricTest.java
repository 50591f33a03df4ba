package io.openmessaging.benchmark.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySummary;
import org.junit.jupiter.api.Test;

class LatencyMetricTest {

    @Test
    void everyLatencyThatIsMeasuredHasANameAndThreeAreOmbs() {
        assertThat(LatencyMetric.ALL).extracting(LatencyMetric::latency).containsExactlyInAnyOrder(Latency.values());
        assertThat(LatencyMetric.ALL)
                .filteredOn(LatencyMetric::inOmb)
                .extracting(LatencyMetric::name, metric -> metric.aggregated("Max"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("publishLatency", "aggregatedPublishLatencyMax"),
                        org.assertj.core.groups.Tuple.tuple("publishDelayLatency", "aggregatedPublishDelayLatencyMax"),
                        org.assertj.core.groups.Tuple.tuple("endToEndLatency", "aggregatedEndToEndLatencyMax"));
    }

    @Test
    void theFiguresAreMeanPercentilesThatAreMeasuredAndMaximum() {
        assertThat(LatencyFigure.ALL.get(0).isMean()).isTrue();
        assertThat(LatencyFigure.ALL.subList(1, LatencyFigure.ALL.size() - 1))
                .extracting(LatencyFigure::percentile)
                .containsExactlyElementsOf(LatencySummary.PERCENTILES);
        assertThat(LatencyFigure.ALL).last().isEqualTo(new LatencyFigure("Max", 100));
    }

    @Test
    void aPercentileOfTheTailNeedsSamplesBeyondIt() {
        assertThat(LatencyFigure.ALL)
                .extracting(LatencyFigure::samplesNeeded)
                .containsExactly(1L, 1L, 4L, 20L, 100L, 1_000L, 10_000L, 100_000L, 1L);
    }
}
