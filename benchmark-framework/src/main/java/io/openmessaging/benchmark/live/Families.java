package io.openmessaging.benchmark.live;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/** One answer in the making: data points come in any order and are gathered by their metric's name. */
final class Families {

    private static final String PREFIX = "benchmark_";

    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();
    private final Map<String, InfoSnapshot.Builder> infos = new LinkedHashMap<>();

    /** A level. The name is without the prefix that all have. */
    void gauge(String name, String help, Labels labels, double value) {
        gauges.computeIfAbsent(
                        PREFIX + name,
                        full -> GaugeSnapshot.builder().name(full).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build());
    }

    /** A count that only grows; is served with {@code _total} at its end. */
    void counter(String name, String help, Labels labels, double value) {
        counters.computeIfAbsent(
                        PREFIX + name,
                        full -> CounterSnapshot.builder().name(full).help(help))
                .dataPoint(CounterDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build());
    }

    /** A distribution in seconds. */
    void histogram(String name, String help, Labels labels, LatencyBuckets latencies) {
        histograms
                .computeIfAbsent(
                        PREFIX + name,
                        full -> HistogramSnapshot.builder().name(full).help(help))
                .dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(labels)
                        .classicHistogramBuckets(latencies.buckets())
                        .sum(latencies.sumSeconds())
                        .build());
    }

    /** What does not change; is served with {@code _info} at its end. */
    void info(String name, String help, Labels labels) {
        infos.computeIfAbsent(
                        PREFIX + name, full -> InfoSnapshot.builder().name(full).help(help))
                .dataPoint(InfoDataPointSnapshot.builder().labels(labels).build());
    }

    /** The answer. */
    MetricSnapshots build() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        infos.values().forEach(family -> all.metricSnapshot(family.build()));
        gauges.values().forEach(family -> all.metricSnapshot(family.build()));
        counters.values().forEach(family -> all.metricSnapshot(family.build()));
        histograms.values().forEach(family -> all.metricSnapshot(family.build()));
        return all.build();
    }
}
