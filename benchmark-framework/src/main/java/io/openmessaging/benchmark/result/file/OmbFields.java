package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RunResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.HistogramIterationValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * OMB's flat fields: the one place that knows their names and units. The latencies' names are put together from a
 * latency's name and a figure's: {@code publishLatency} and {@code 99pct} make the list {@code publishLatency99pct}
 * with a value for each period, and {@code aggregatedPublishLatency99pct}, the value of the whole measurement.
 *
 * <p>Latencies from the intended send, which OMB does not have, are named alike, and are left out where they were not
 * measured. OMB's own fields are always there: where a latency was not measured, they are 0 as in OMB, and {@code
 * notMeasured} names the latency.
 */
public final class OmbFields {

    /** How a latency is written. */
    public enum Unit {
        /** Milliseconds with six decimals. */
        MS {
            @Override
            JsonNode mean(double meanNs) {
                return JsonText.decimal(meanNs / NS_PER_MS);
            }

            @Override
            JsonNode value(long valueNs) {
                return mean(valueNs);
            }
        },
        /** Microseconds, whole ones except for the mean. */
        US {
            @Override
            JsonNode mean(double meanNs) {
                return JsonText.decimal(meanNs / NS_PER_US);
            }

            @Override
            JsonNode value(long valueNs) {
                return JsonNodeFactory.instance.numberNode(Math.round(valueNs / NS_PER_US));
            }
        };

        private static final double NS_PER_MS = 1e6;
        private static final double NS_PER_US = 1e3;

        abstract JsonNode mean(double meanNs);

        abstract JsonNode value(long valueNs);
    }

    /**
     * A latency with a name in the file.
     *
     * @param latency which
     * @param name its name, the first part of its fields' names
     * @param unit of its fields
     * @param inOmb whether OMB has it too
     */
    public record Metric(Latency latency, String name, Unit unit, boolean inOmb) {

        /** The name of a field for the whole measurement. */
        public String aggregated(String suffix) {
            return "aggregated" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + suffix;
        }
    }

    /** A figure of a latency: the last part of a field's name, and its value. */
    private record Figure(String suffix, ToDoubleFunction<LatencySummary> valueNs, boolean isMean) {

        JsonNode of(LatencySummary summary, Unit unit) {
            double value = valueNs.applyAsDouble(summary);
            return isMean ? unit.mean(value) : unit.value((long) value);
        }
    }

    public static final List<Metric> METRICS = List.of(
            new Metric(Latency.PUBLISH, "publishLatency", Unit.MS, true),
            new Metric(Latency.SEND_DELAY, "publishDelayLatency", Unit.US, true),
            new Metric(Latency.END_TO_END, "endToEndLatency", Unit.MS, true),
            new Metric(Latency.SCHEDULED_PUBLISH, "scheduledPublishLatency", Unit.MS, false),
            new Metric(Latency.SCHEDULED_END_TO_END, "scheduledEndToEndLatency", Unit.MS, false));

    public static final String NOT_MEASURED = "notMeasured";
    public static final String TOPICS = "topics";
    public static final String PARTITIONS = "partitions";
    public static final String MESSAGE_SIZE = "messageSize";
    public static final String PRODUCERS_PER_TOPIC = "producersPerTopic";
    public static final String CONSUMERS_PER_TOPIC = "consumersPerTopic";
    public static final String PUBLISH_RATE = "publishRate";
    public static final String CONSUME_RATE = "consumeRate";
    public static final String WORKLOAD = "workload";
    public static final String DRIVER = "driver";

    private static final List<Figure> FIGURES = figures();

    /** OMB's density of the quantiles: steps for each halving of the distance to 100 %. */
    private static final int QUANTILE_STEPS = 100;

    private static final String QUANTILES = "Quantiles";

    private OmbFields() {}

    private static List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure("Avg", LatencySummary::meanNs, true));
        for (double percentile : LatencySummary.PERCENTILES) {
            String digits = decimalText(percentile).replace(".", "");
            figures.add(new Figure(digits + "pct", summary -> summary.atNs(percentile), false));
        }
        figures.add(new Figure("Max", LatencySummary::maxNs, false));
        return List.copyOf(figures);
    }

    /** The last parts of the names of a latency's fields. */
    public static List<String> suffixes() {
        return FIGURES.stream().map(Figure::suffix).toList();
    }

    /** A number as text, without exponent and without zeros at its end. */
    public static String decimalText(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /** What was run. */
    static void addSetup(ObjectNode root, RunResult result) {
        Workload workload = result.workload().workload();
        root.put(WORKLOAD, workload.name());
        root.put(DRIVER, result.driver().name());
        root.put(MESSAGE_SIZE, workload.messageSize());
        root.put(TOPICS, workload.topics());
        root.put(PARTITIONS, workload.partitionsPerTopic());
        root.put(PRODUCERS_PER_TOPIC, workload.producersPerTopic());
        root.put(CONSUMERS_PER_TOPIC, workload.consumerPerSubscription());
    }

    /** OMB's latencies of which there is not a single sample. */
    static void addNotMeasured(ObjectNode root, PeriodSnapshot total) {
        ArrayNode names = root.putArray(NOT_MEASURED);
        METRICS.stream()
                .filter(metric ->
                        metric.inOmb() && total.latency(metric.latency()).count() == 0)
                .forEach(metric -> names.add(metric.name()));
    }

    /** The lists with a value for each period. */
    static void addPeriods(ObjectNode root, List<PeriodSnapshot> periods, PeriodSnapshot total) {
        addList(root, PUBLISH_RATE, periods, period -> JsonText.decimal(period.publishRate()));
        addList(root, "publishErrorRate", periods, period -> JsonText.decimal(period.publishErrorRate()));
        addList(root, CONSUME_RATE, periods, period -> JsonText.decimal(period.consumeRate()));
        addList(
                root,
                "backlog",
                periods,
                period -> JsonNodeFactory.instance.numberNode(period.totals().backlog()));
        for (Metric metric : shown(total)) {
            List<LatencySummary> summaries = periods.stream()
                    .map(period -> period.latency(metric.latency()).summary())
                    .toList();
            for (Figure figure : FIGURES) {
                addList(root, metric.name() + figure.suffix(), summaries, summary -> figure.of(summary, metric.unit()));
            }
        }
    }

    private static <T> void addList(ObjectNode root, String name, List<T> from, Function<T, JsonNode> value) {
        ArrayNode list = root.putArray(name);
        from.forEach(item -> list.add(value.apply(item)));
    }

    /** The values of the whole measurement. */
    static void addAggregates(ObjectNode root, PeriodSnapshot total) {
        for (Metric metric : shown(total)) {
            LatencySummary summary = total.latency(metric.latency()).summary();
            for (Figure figure : FIGURES) {
                root.set(metric.aggregated(figure.suffix()), figure.of(summary, metric.unit()));
            }
        }
    }

    /** The distributions of the whole measurement: by far the longest part. */
    static void addQuantiles(ObjectNode root, PeriodSnapshot total) {
        for (Metric metric : shown(total)) {
            ObjectNode quantiles = root.putObject(metric.aggregated(QUANTILES));
            byPercentile(total.latency(metric.latency()))
                    .forEach((percentile, valueNs) ->
                            quantiles.set(decimalText(percentile), metric.unit().value(valueNs)));
        }
    }

    private static SortedMap<Double, Long> byPercentile(LatencySnapshot latencies) {
        SortedMap<Double, Long> byPercentile = new TreeMap<>();
        for (HistogramIterationValue step : latencies.histogram().percentiles(QUANTILE_STEPS)) {
            byPercentile.put(step.getPercentile(), step.getValueIteratedTo());
        }
        return byPercentile;
    }

    private static List<Metric> shown(PeriodSnapshot total) {
        return METRICS.stream()
                .filter(metric ->
                        metric.inOmb() || total.latency(metric.latency()).count() > 0)
                .toList();
    }
}
