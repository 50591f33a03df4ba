package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import io.openmessaging.benchmark.result.file.OmbFields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The figures by which runs are compared, as single numbers taken from a result file. Each has a name and a unit; a run
 * has those that it measured. What they are is defined in {@code metrics.yaml}, which the charts read too.
 */
public final class RunMetrics {

    /**
     * How a metric is found in a result file.
     *
     * @param unit of its values
     * @param path of the number; null if it is a figure of what was used
     * @param figure role and figure; null if the number has a path
     * @param times a factor
     * @param per the path of a divisor; null for none
     * @param restOf from which the value is taken; null if it is the value itself
     * @param where the path of a condition; null for none
     * @param latency the latency of which it is a figure, as {@code notMeasured} would name it; null if it is of none
     */
    private record Definition(
            String unit,
            @Nullable String path,
            @Nullable String figure,
            double times,
            @Nullable String per,
            @Nullable Double restOf,
            @Nullable String where,
            @Nullable String latency) {

        OptionalDouble in(JsonNode run) {
            boolean given = where == null || at(run, where).asBoolean(false);
            if (!given || (latency != null && isNotMeasured(run, latency))) {
                return OptionalDouble.empty();
            }
            OptionalDouble raw = path == null ? sum(run, String.valueOf(figure)) : number(at(run, path));
            double divisor = per == null ? 1 : number(at(run, per)).orElse(0);
            if (raw.isEmpty() || divisor <= 0) {
                return OptionalDouble.empty();
            }
            double value = times * raw.getAsDouble() / divisor;
            return OptionalDouble.of(restOf == null ? value : restOf - value);
        }
    }

    private static final Map<String, Definition> METRICS = read();

    private RunMetrics() {}

    /** The names of all metrics. */
    public static Set<String> names() {
        return METRICS.keySet();
    }

    /** The unit of a metric; empty if there is no such metric. */
    public static Optional<String> unit(String name) {
        return Optional.ofNullable(METRICS.get(name)).map(Definition::unit);
    }

    /** What a run has measured. */
    public static Map<String, Double> of(JsonNode run) {
        Map<String, Double> values = new LinkedHashMap<>();
        METRICS.forEach((name, metric) -> {
            OptionalDouble value = metric.in(run);
            if (value.isPresent()) {
                values.put(name, value.getAsDouble());
            }
        });
        return values;
    }

    private static Map<String, Definition> read() {
        Map<String, Definition> metrics = new LinkedHashMap<>();
        SharedDefinitions.read("metrics.yaml").path("metrics").forEachEntry((name, node) -> {
            if (!node.has("latency")) {
                metrics.put(name, definition(node, text(node, "from"), null));
            } else if (node.path("compared").asBoolean(true)) {
                LatencyMetric latency = LatencyMetric.named(name);
                LatencyFigure.ALL.forEach(figure -> metrics.put(
                        name + figure.suffix(), definition(node, latency.aggregated(figure.suffix()), name)));
            }
        });
        return Collections.unmodifiableMap(metrics);
    }

    private static Definition definition(JsonNode node, @Nullable String path, @Nullable String latency) {
        return new Definition(
                node.path("unit").asString(),
                path,
                text(node, "figure"),
                node.path("times").asDouble(1),
                text(node, "per"),
                node.has("restOf") ? node.path("restOf").asDouble() : null,
                text(node, "where"),
                latency);
    }

    private static @Nullable String text(JsonNode node, String name) {
        return node.has(name) ? node.path(name).asString() : null;
    }

    /** OMB's latencies are 0 where they were not measured, and the result then names them. */
    static boolean isNotMeasured(JsonNode run, String latency) {
        return run.path(OmbFields.NOT_MEASURED)
                .valueStream()
                .anyMatch(each -> each.asString("").equals(latency));
    }

    /** The mean of a figure, given as role/name, all of that role together. */
    static OptionalDouble sum(JsonNode run, String figure) {
        int slash = figure.indexOf('/');
        String role = figure.substring(0, slash);
        String name = figure.substring(slash + 1);
        return run.path("resources")
                .path("entries")
                .valueStream()
                .filter(entry -> entry.path("role").asString("").equals(role))
                .map(entry -> entry.path("figures").path(name).path("mean"))
                .filter(JsonNode::isNumber)
                .mapToDouble(JsonNode::asDouble)
                .reduce(Double::sum);
    }

    private static JsonNode at(JsonNode node, String path) {
        return node.at("/" + path);
    }

    private static OptionalDouble number(JsonNode value) {
        return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }
}
