package io.openmessaging.benchmark.metric;

import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.measure.Latency;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * A latency under the name that OMB gave or would have given it.
 *
 * @param name start of the field names, such as {@code publishLatency}
 * @param latency the latency
 * @param unit unit of the fields
 * @param row name on the console
 * @param inOmb true if OMB has it too
 * @param compared true if runs are compared by it and workloads may set bounds on it
 */
public record LatencyMetric(String name, Latency latency, Unit unit, String row, boolean inOmb, boolean compared) {

    /** The unit in which a latency is written. */
    public enum Unit {
        /** Milliseconds with six decimals. */
        MS(1e6),
        /** Microseconds, as whole numbers except for the mean. */
        US(1e3);

        private final double ns;

        Unit(double ns) {
            this.ns = ns;
        }

        /** Converts a number of nanoseconds to this unit. */
        public double of(double valueNs) {
            return valueNs / ns;
        }
    }

    /** All metrics, in the order of the table. */
    public static final List<LatencyMetric> ALL = SharedDefinitions.read("metrics.yaml")
            .path("metrics")
            .propertyStream()
            .filter(metric -> metric.getValue().has("latency"))
            .map(metric -> of(metric.getKey(), metric.getValue()))
            .toList();

    private static LatencyMetric of(String name, JsonNode node) {
        String label = node.path("latency").asString();
        return new LatencyMetric(
                name,
                Arrays.stream(Latency.values())
                        .filter(each -> each.label().equals(label))
                        .findFirst()
                        .orElseThrow(),
                Unit.valueOf(node.path("unit").asString().toUpperCase(Locale.ROOT)),
                node.path("row").asString(),
                node.path("omb").asBoolean(false),
                node.path("compared").asBoolean(true));
    }

    /** Returns the metric of a latency. */
    public static LatencyMetric of(Latency latency) {
        return only(metric -> metric.latency == latency);
    }

    /** Returns the name of the metric for a percentile of a latency; 100 for the maximum. */
    public static String at(Latency latency, double percentile) {
        return of(latency).name()
                + LatencyFigure.ALL.stream()
                        .filter(figure -> figure.percentile() == percentile)
                        .findFirst()
                        .orElseThrow()
                        .suffix();
    }

    /**
     * Returns the rule that an unknown name breaks, with advice. A bare percentile such as {@code p99.9} means that of
     * the latency from the intended send to the arrival.
     *
     * @param kind kind of thing that is named, such as {@code metric}
     * @param known known names
     */
    public static String unknownRule(String kind, String unknown, Collection<String> known) {
        return LatencyFigure.ALL.stream()
                .filter(figure -> unknown.matches("p[0-9.]+")
                        && figure.suffix().startsWith(unknown.substring(1).replace(".", "") + "p"))
                .map(figure -> of(Latency.SCHEDULED_END_TO_END).name() + figure.suffix())
                .filter(known::contains)
                .findFirst()
                .map(meant -> "unknown " + kind + ", did you mean '" + meant + "'?")
                .orElseGet(() -> KnownKeys.unknownRule(kind, unknown, known));
    }

    /** Returns the metric with a name. */
    public static LatencyMetric named(String name) {
        return only(metric -> metric.name.equals(name));
    }

    private static LatencyMetric only(Predicate<LatencyMetric> which) {
        return ALL.stream().filter(which).findFirst().orElseThrow();
    }

    /** Returns the name of the field for the whole measurement. */
    public String aggregated(String suffix) {
        return "aggregated" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + suffix;
    }
}
