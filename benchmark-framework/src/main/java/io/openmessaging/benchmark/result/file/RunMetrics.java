package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The figures by which runs are compared, as single numbers. Each has a name and a unit; a run has those that it
 * measured. {@code metrics.yaml} defines where in a result they come from. They are computed once, when the result is
 * written, and stand in its {@code metrics}; those of resources also stand in {@code metricsByPeriod}.
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
     * @param searched true if a search for the sustainable rate finds it; null for no
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
            @Nullable Boolean searched,
            @Nullable String latency) {

        OptionalDouble in(JsonNode run) {
            if (!isGiven(run) || (latency != null && isNotMeasured(run, latency))) {
                return OptionalDouble.empty();
            }
            List<JsonNode> means = figures(run).stream()
                    .map(each -> each.path("mean"))
                    .filter(JsonNode::isNumber)
                    .toList();
            return scaled(run, from == null ? sum(means) : number(at(run, from)));
        }

        /** Returns a value for each period, null where an entry of the role has none; empty without such a figure. */
        List<@Nullable JsonNode> byPeriod(JsonNode run) {
            List<JsonNode> lists = isGiven(run)
                    ? figures(run).stream().map(each -> each.path("periodMean")).toList()
                    : List.of();
            int periods = lists.stream().mapToInt(JsonNode::size).min().orElse(0);
            return IntStream.range(0, periods)
                    .mapToObj(period ->
                            sum(lists.stream().map(list -> list.path(period)).toList()))
                    .map(sum -> scaled(run, sum))
                    .map(use -> use.isPresent() ? JsonText.decimal(use.getAsDouble()) : null)
                    .toList();
        }

        private boolean isGiven(JsonNode run) {
            return where == null || at(run, where).asBoolean(false);
        }

        /** Returns the figure of each process, target or host of the role; empty if it is not a figure of resources. */
        private List<JsonNode> figures(JsonNode run) {
            if (figure == null) {
                return List.of();
            }
            String[] roleAndName = figure.split("/", 2);
            return run.at("/resources/entries")
                    .valueStream()
                    .filter(entry -> entry.path("role").asString("").equals(roleAndName[0]))
                    .map(entry -> entry.path("figures").path(roleAndName[1]))
                    .filter(JsonNode::isObject)
                    .toList();
        }

        private OptionalDouble scaled(JsonNode run, OptionalDouble raw) {
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

        /** Returns the sum; empty if one of them is no number, and without any. */
        private static OptionalDouble sum(List<JsonNode> numbers) {
            return numbers.stream().allMatch(JsonNode::isNumber)
                    ? numbers.stream().mapToDouble(JsonNode::asDouble).reduce(Double::sum)
                    : OptionalDouble.empty();
        }
    }

    /** The confirmed messages per second. */
    public static final String PUBLISH_RATE = "publishRate";

    /** The messages over the time from the first send to the last arrival. */
    public static final String TOTAL_RATE = "totalRate";

    static final String FIELD = "metrics";
    static final String BY_PERIOD = "metricsByPeriod";

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

    /** Returns whether a search for the sustainable rate finds the metric. */
    public static boolean isSearched(String name) {
        Definition metric = METRICS.get(name);
        return metric != null && Boolean.TRUE.equals(metric.searched);
    }

    /** Returns the metrics that means and claims may rest on: not the rates of a search whose {@link FoundRate} is vague. */
    public static Map<String, Double> reliedOn(JsonNode run) {
        Map<String, Double> values = of(run);
        if (FoundRate.isVagueIn(run)) {
            values.keySet().removeIf(RunMetrics::isSearched);
        }
        return values;
    }

    /** Returns the metrics that a run measured; computes them for results of OMB and of earlier versions. */
    public static Map<String, Double> of(JsonNode run) {
        Map<String, Double> values = new LinkedHashMap<>();
        JsonNode written = run.path(FIELD);
        if (written.isObject()) {
            written.forEachEntry((name, value) -> values.put(name, value.asDouble()));
        } else {
            METRICS.forEach((name, metric) -> metric.in(run).ifPresent(value -> values.put(name, value)));
        }
        return values;
    }

    /** Sets the two fields with metrics from the result's other fields. */
    static void addTo(ObjectNode result) {
        ObjectNode metrics = JsonMapper.shared().createObjectNode();
        ObjectNode byPeriod = JsonMapper.shared().createObjectNode();
        METRICS.forEach((name, metric) -> {
            metric.in(result).ifPresent(value -> metrics.set(name, JsonText.decimal(value)));
            List<@Nullable JsonNode> periods = metric.byPeriod(result);
            if (!periods.isEmpty()) {
                periods.forEach(byPeriod.putArray(name)::add);
            }
        });
        result.set(FIELD, metrics);
        result.set(BY_PERIOD, byPeriod);
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
    public static boolean isNotMeasured(JsonNode run, String latency) {
        JsonNode longest = run.path(LatencyMetric.named(latency).aggregated("Max"));
        if (longest.isNumber() && longest.asDouble() == 0) {
            return true;
        }
        return run.path(OmbFields.NOT_MEASURED)
                .valueStream()
                .anyMatch(each -> each.asString("").equals(latency));
    }

    private static JsonNode at(JsonNode node, String path) {
        return node.at("/" + path);
    }

    private static OptionalDouble number(JsonNode value) {
        return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }
}
