package io.openmessaging.benchmark.driver.redpanda;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is worth keeping with a result of Redpanda's public metrics, which are in Prometheus' text form. */
final class PublicMetrics {

    /** What is looked for, by the name it gets in a result. */
    private static final Map<String, Pattern> SETTINGS = Map.of(
            "uptime s", figure("redpanda_application_uptime_seconds_total"),
            "brokers", figure("redpanda_cluster_brokers"),
            "partitions before the run", figure("redpanda_cluster_partitions"),
            "unavailable partitions", figure("redpanda_cluster_unavailable_partitions"),
            "redpanda version", labelOfBuild("redpanda_version"),
            "redpanda revision", labelOfBuild("redpanda_revision"));

    private PublicMetrics() {}

    /** A metric without labels. Whole numbers are written with six decimal places. */
    private static Pattern figure(String metric) {
        return Pattern.compile("(?m)^" + metric + "(?:\\{})?[ \\t]+(\\S+?)(?:\\.0+)?(?:\\s|$)");
    }

    private static Pattern labelOfBuild(String label) {
        return Pattern.compile("(?m)^redpanda_application_build\\{(?:.*,)?" + label + "=\"((?:[^\"\\\\]|\\\\.)*)\"");
    }

    /** What there is of it in the metrics of a node. */
    static Map<String, String> settings(String metrics) {
        Map<String, String> settings = new TreeMap<>();
        SETTINGS.forEach((name, pattern) -> {
            Matcher matcher = pattern.matcher(metrics);
            if (matcher.find()) {
                settings.put(name, matcher.group(1));
            }
        });
        return settings;
    }
}
