package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.result.RunResult;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.HdrHistogram.HistogramIterationValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * OMB's flat fields. Those of latencies are put together from a latency's name and a figure's (see {@link LatencyMetric}): a list
 * with a value for each period, and {@code aggregated…}, the value of the whole measurement.
 *
 * <p>Latencies from the intended send, which OMB does not have, are named alike, and are left out where they were not
 * measured. OMB's own fields are always there: where a latency was not measured, they are 0 as in OMB, and {@code
 * notMeasured} names the latency.
 */
public final class OmbFields {

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

    /** OMB's density of the quantiles: steps for each halving of the distance to 100 %. */
    private static final int QUANTILE_STEPS = 100;

    private static final String QUANTILES = "Quantiles";

    private OmbFields() {}

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
        LatencyMetric.ALL.stream()
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
        for (LatencyMetric metric : shown(total)) {
            List<LatencySummary> summaries = periods.stream()
                    .map(period -> period.latency(metric.latency()).summary())
                    .toList();
            for (LatencyFigure figure : LatencyFigure.ALL) {
                addList(root, metric.name() + figure.suffix(), summaries, summary -> value(metric, figure, summary));
            }
        }
    }

    private static JsonNode value(LatencyMetric metric, LatencyFigure figure, LatencySummary summary) {
        double valueNs = figure.valueNs(summary);
        return figure.isMean() ? JsonText.decimal(metric.unit().of(valueNs)) : number(metric.unit(), valueNs);
    }

    private static JsonNode number(LatencyMetric.Unit unit, double valueNs) {
        double value = unit.of(valueNs);
        return unit == LatencyMetric.Unit.MS
                ? JsonText.decimal(value)
                : JsonNodeFactory.instance.numberNode(Math.round(value));
    }

    private static <T> void addList(ObjectNode root, String name, List<T> from, Function<T, JsonNode> value) {
        ArrayNode list = root.putArray(name);
        from.forEach(item -> list.add(value.apply(item)));
    }

    /** The values of the whole measurement. */
    static void addAggregates(ObjectNode root, PeriodSnapshot total) {
        for (LatencyMetric metric : shown(total)) {
            LatencySummary summary = total.latency(metric.latency()).summary();
            for (LatencyFigure figure : LatencyFigure.ALL) {
                root.set(metric.aggregated(figure.suffix()), value(metric, figure, summary));
            }
        }
    }

    /** The distributions of the whole measurement: by far the longest part. */
    static void addQuantiles(ObjectNode root, PeriodSnapshot total) {
        for (LatencyMetric metric : shown(total)) {
            ObjectNode quantiles = root.putObject(metric.aggregated(QUANTILES));
            byPercentile(total.latency(metric.latency()))
                    .forEach((percentile, valueNs) ->
                            quantiles.set(decimalText(percentile), number(metric.unit(), valueNs)));
        }
    }

    private static SortedMap<Double, Long> byPercentile(LatencySnapshot latencies) {
        SortedMap<Double, Long> byPercentile = new TreeMap<>();
        for (HistogramIterationValue step : latencies.histogram().percentiles(QUANTILE_STEPS)) {
            byPercentile.put(step.getPercentile(), step.getValueIteratedTo());
        }
        return byPercentile;
    }

    private static List<LatencyMetric> shown(PeriodSnapshot total) {
        return LatencyMetric.ALL.stream()
                .filter(metric ->
                        metric.inOmb() || total.latency(metric.latency()).count() > 0)
                .toList();
    }
}
