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
import tools.jackson.databind.json.JsonMapper;

/**
 * The figures by which runs are compared, as single numbers from a result file. Each has a name and a unit; a run has
 * those that it measured. They are defined in {@code metrics.yaml}, which the charts read too.
 */
public final class RunMetrics {

    /**
     * The definition of a metric in terms of a result file.
     *
     * @param unit unit of the values
     * @param from path of the number; null for a resource figure
     * @param figure role and figure; null if the number has a path
     * @param inverse true to take one divided by the number; null for no
     * @param times factor; null for 1
     * @param per path of a divisor; null for none
     * @param restOf number from which the value is subtracted; null to take the value itself
     * @param where path of a condition; null for none
     * @param allRuns true if INVALID runs count as well; null for no
     * @param latency the latency that the metric is a figure of, as {@code notMeasured} would name it; null if it is
     *     not of a latency
     */
    private record Definition(
            String unit,
            @Nullable String from,
            @Nullable String figure,
            @Nullable Boolean inverse,
            @Nullable Double times,
            @Nullable String per,
            @Nullable Double restOf,
            @Nullable String where,
            @Nullable Boolean allRuns,
            @Nullable String latency) {

        OptionalDouble in(JsonNode run) {
            boolean given = where == null || at(run, where).asBoolean(false);
            if (!given || (latency != null && isNotMeasured(run, latency))) {
                return OptionalDouble.empty();
            }
            OptionalDouble raw = from == null ? sum(run, String.valueOf(figure)) : number(at(run, from));
            double divisor = per == null ? 1 : number(at(run, per)).orElse(0);
            double factor = times == null ? 1 : times;
            boolean inverted = Boolean.TRUE.equals(inverse);
            return raw.stream()
                    .filter(number -> divisor > 0 && (!inverted || number > 0))
                    .map(number -> inverted ? 1 / number : number)
                    .map(number -> factor * number / divisor)
                    .map(value -> restOf == null ? value : restOf - value)
                    .findFirst();
        }
    }

    /** The confirmed messages per second. */
    public static final String PUBLISH_RATE = "publishRate";

    /** The messages over the time from the first send to the last arrival. */
    public static final String TOTAL_RATE = "totalRate";

    private static final Map<String, Definition> METRICS = read();

    private RunMetrics() {}

    public static Set<String> names() {
        return METRICS.keySet();
    }

    /** Returns the unit of a metric; empty if there is no such metric. */
    public static Optional<String> unit(String name) {
        return Optional.ofNullable(METRICS.get(name)).map(Definition::unit);
    }

    /** Returns whether INVALID runs count as well, since what the metric counts makes a run INVALID. */
    public static boolean isOfAllRuns(String name) {
        Definition metric = METRICS.get(name);
        return metric != null && Boolean.TRUE.equals(metric.allRuns);
    }

    /** Returns the metrics that a run measured. */
    public static Map<String, Double> of(JsonNode run) {
        Map<String, Double> values = new LinkedHashMap<>();
        METRICS.forEach((name, metric) -> metric.in(run).ifPresent(value -> values.put(name, value)));
        return values;
    }

    private static Map<String, Definition> read() {
        Map<String, Definition> metrics = new LinkedHashMap<>();
        SharedDefinitions.read("metrics.yaml").path("metrics").forEachEntry((name, node) -> {
            Definition definition = JsonMapper.shared().treeToValue(node, Definition.class);
            if (definition.latency == null) {
                metrics.put(name, definition);
            } else if (node.path("compared").asBoolean(true)) {
                LatencyMetric latency = LatencyMetric.named(name);
                LatencyFigure.ALL.forEach(figure -> metrics.put(
                        name + figure.suffix(),
                        new Definition(
                                definition.unit,
                                latency.aggregated(figure.suffix()),
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                name)));
            }
        });
        return Collections.unmodifiableMap(metrics);
    }

    /**
     * Returns whether a latency was not measured. Our results name such latencies. OMB's results, and our older ones,
     * have 0 there; a maximum of 0 is proof, since no sample is that short.
     */
    static boolean isNotMeasured(JsonNode run, String latency) {
        JsonNode longest = run.path(LatencyMetric.named(latency).aggregated("Max"));
        if (longest.isNumber() && longest.asDouble() == 0) {
            return true;
        }
        return run.path(OmbFields.NOT_MEASURED)
                .valueStream()
                .anyMatch(each -> each.asString("").equals(latency));
    }

    /** Sums the means of a figure, given as role/name, over all entries of that role. */
    static OptionalDouble sum(JsonNode run, String figure) {
        int slash = figure.indexOf('/');
        String mean = "/figures" + figure.substring(slash) + "/mean";
        return run.at("/resources/entries")
                .valueStream()
                .filter(entry -> entry.path("role").asString("").equals(figure.substring(0, slash)))
                .flatMapToDouble(entry -> number(entry.at(mean)).stream())
                .reduce(Double::sum);
    }

    private static JsonNode at(JsonNode node, String path) {
        return node.at("/" + path);
    }

    private static OptionalDouble number(JsonNode value) {
        return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }
}
