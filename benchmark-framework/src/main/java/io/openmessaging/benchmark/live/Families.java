package io.openmessaging.benchmark.live;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** An answer under construction: data points come in any order and are gathered by the name of their metric. */
final class Families {

    private static final String PREFIX = "benchmark_";

    private final Map<String, MetricSnapshot.Builder<?>> byName;
    private final Labels labels;

    private Families(Map<String, MetricSnapshot.Builder<?>> byName, Labels labels) {
        this.byName = byName;
        this.labels = labels;
    }

    /** Starts an empty answer. */
    Families() {
        this(new LinkedHashMap<>(), Labels.EMPTY);
    }

    /** Returns a view of the same answer that adds data points with more labels: name, value, name, value. */
    Families with(String... more) {
        return new Families(byName, labels.merge(Labels.of(more)));
    }

    /** Adds a level. The name is without the prefix that all metrics have. */
    void gauge(String name, String help, double value) {
        family(GaugeSnapshot.Builder.class, GaugeSnapshot::builder, name, help)
                .dataPoint(new GaugeDataPointSnapshot(value, labels, null));
    }

    /** Adds a count that only grows; served with the suffix {@code _total}. */
    void counter(String name, String help, double value) {
        family(CounterSnapshot.Builder.class, CounterSnapshot::builder, name, help)
                .dataPoint(new CounterDataPointSnapshot(value, labels, null, 0));
    }

    /** Adds a distribution in seconds. */
    void histogram(String name, String help, MetricBuckets latencies) {
        family(HistogramSnapshot.Builder.class, HistogramSnapshot::builder, name, help)
                .dataPoint(new HistogramDataPointSnapshot(
                        latencies.buckets(), latencies.sumSeconds(), labels, Exemplars.EMPTY, 0));
    }

    /** Adds constant information; served with the suffix {@code _info}. */
    void info(String name, String help) {
        family(InfoSnapshot.Builder.class, InfoSnapshot::builder, name, help)
                .dataPoint(new InfoDataPointSnapshot(labels));
    }

    private <B extends MetricSnapshot.Builder<B>> B family(Class<B> type, Supplier<B> first, String name, String help) {
        return type.cast(byName.computeIfAbsent(
                PREFIX + name, full -> first.get().name(full).help(help)));
    }

    /** Returns the answer, sorted by name. */
    MetricSnapshots build() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        byName.values().forEach(family -> all.metricSnapshot(family.build()));
        return all.build();
    }
}
