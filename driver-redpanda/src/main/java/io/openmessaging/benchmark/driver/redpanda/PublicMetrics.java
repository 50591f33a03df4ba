package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.PrometheusText;
import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Redpanda's public metrics of one node at one moment, in Prometheus' text format. */
final class PublicMetrics {

    private static final String BUILD = "redpanda_application_build";
    private static final Set<String> BUILD_LABELS = Set.of("redpanda_version", "redpanda_revision");

    /** Key figures of the node or the cluster, with their names in a result. */
    private static final Map<String, String> FIGURES = Map.of(
            "redpanda_application_uptime_seconds_total", "uptime s",
            "redpanda_cluster_brokers", "brokers",
            "redpanda_cluster_partitions", "partitions before the run",
            "redpanda_cluster_unavailable_partitions", "unavailable partitions");

    private PublicMetrics() {}

    /**
     * Returns the available figures that are worth keeping with a result.
     *
     * @throws PrometheusText.FormatException if a line is not a sample
     */
    static Map<String, String> settings(String text) throws PrometheusText.FormatException {
        Map<String, String> settings = new TreeMap<>();
        for (Sample sample : PrometheusText.parse(text, name -> name.equals(BUILD) || FIGURES.containsKey(name))) {
            String figure = FIGURES.get(sample.name());
            if (figure == null) {
                BUILD_LABELS.stream()
                        .filter(sample.labels()::containsKey)
                        .forEach(label -> settings.put(
                                label.replace('_', ' '), sample.labels().get(label)));
            } else if (sample.labels().isEmpty()) {
                settings.put(figure, withoutZeros(sample.value()));
            }
        }
        return settings;
    }

    /** Formats a value with six decimal places, as the metrics do, or without any if it is whole. */
    private static String withoutZeros(double value) {
        return String.format(Locale.ROOT, "%.6f", value).replaceFirst("\\.0+$", "");
    }
}
