package io.openmessaging.benchmark.driver.redpanda;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Redpanda's public metrics of one node at one moment, in Prometheus' text form.
 *
 * @param values by name and labels, as they are written there
 */
record PublicMetrics(Map<String, String> values) {

    /** A name, perhaps labels in braces, a value, perhaps a time. */
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})?\\s+(\\S+)(?:\\s+-?\\d+)?");

    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final String BUILD = "redpanda_application_build";

    /** Key figures of the node or the cluster, by the name they get in a result. */
    private static final Map<String, String> FIGURES = Map.of(
            "uptime s", "redpanda_application_uptime_seconds_total",
            "brokers", "redpanda_cluster_brokers",
            "partitions before the run", "redpanda_cluster_partitions",
            "unavailable partitions", "redpanda_cluster_unavailable_partitions");

    PublicMetrics {
        values = Map.copyOf(values);
    }

    /** Lines that are no samples are passed over. */
    static PublicMetrics parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        text.lines().map(String::strip).filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                String labels = sample.group(2) == null ? "" : sample.group(2);
                values.put(sample.group(1) + "{" + labels + "}", sample.group(3));
            }
        });
        return new PublicMetrics(values);
    }

    /** What is worth keeping with a result, as far as it is there. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        FIGURES.forEach((name, metric) -> {
            String value = values.get(metric + "{}");
            if (value != null) {
                settings.put(name, withoutZeros(value));
            }
        });
        values.keySet().stream().filter(key -> key.startsWith(BUILD + "{")).forEach(key -> {
            Matcher label = LABEL.matcher(key);
            while (label.find()) {
                if (label.group(1).equals("redpanda_version") || label.group(1).equals("redpanda_revision")) {
                    settings.put(label.group(1).replace('_', ' '), label.group(2));
                }
            }
        });
        return settings;
    }

    /** Whole numbers are written with six decimal places. */
    private static String withoutZeros(String value) {
        return value.replaceFirst("\\.0+$", "");
    }
}
