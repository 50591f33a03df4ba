package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * OMB's flat fields. Latency fields are named after a latency and a figure (see {@link LatencyMetric}): a list with a
 * value for each period, and {@code aggregated…}, the value of the whole measurement.
 *
 * <p>Latencies from the intended send, which OMB does not have, follow the same naming and are left out if they were
 * not measured. OMB's own fields are always there. Without a sample, in a period or in the whole measurement, they are
 * null, since 0 would be a latency; quantiles are then empty. {@code notMeasured} names the latencies without any
 * sample.
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

    private OmbFields() {}

    /** Adds what was run. */
    static void addSetup(Fields root, RunResult result) {
        Workload workload = result.workload().workload();
        root.add(WORKLOAD, workload.name())
                .add(DRIVER, result.driver().name())
                .add(MESSAGE_SIZE, result.messageSize())
                .add(TOPICS, workload.topics())
                .add(PARTITIONS, workload.partitionsPerTopic())
                .add(PRODUCERS_PER_TOPIC, workload.producersPerTopic())
                .add(CONSUMERS_PER_TOPIC, workload.consumerPerSubscription());
    }

    /** Adds the names of OMB's latencies without any sample. */
    static void addNotMeasured(Fields root, PeriodSnapshot total) {
        List<String> names = LatencyMetric.ALL.stream()
                .filter(metric ->
                        metric.inOmb() && total.latency(metric.latency()).count() == 0)
                .map(LatencyMetric::name)
                .toList();
        root.add(NOT_MEASURED, names);
    }

    /** Adds the lists with a value for each period. */
    static void addPeriods(Fields root, List<PeriodSnapshot> periods, PeriodSnapshot total) {
        root.addEach(PUBLISH_RATE, periods, PeriodSnapshot::publishRate)
                .addEach("publishErrorRate", periods, PeriodSnapshot::publishErrorRate)
                .addEach(CONSUME_RATE, periods, PeriodSnapshot::consumeRate)
                .addEach("backlog", periods, period -> period.totals().backlog());
        for (LatencyMetric metric : shown(total)) {
            List<LatencySummary> summaries = periods.stream()
                    .map(period -> period.latency(metric.latency()).summary())
                    .toList();
            for (LatencyFigure figure : LatencyFigure.ALL) {
                root.addEach(metric.name() + figure.suffix(), summaries, summary -> value(metric, figure, summary));
            }
        }
    }

    private static @Nullable Number value(LatencyMetric metric, LatencyFigure figure, LatencySummary summary) {
        if (summary.count() == 0) {
            return null;
        }
        double valueNs = figure.valueNs(summary);
        return figure.isMean() ? (Number) metric.unit().of(valueNs) : number(metric.unit(), valueNs);
    }

    private static Number number(LatencyMetric.Unit unit, double valueNs) {
        double value = unit.of(valueNs);
        return unit == LatencyMetric.Unit.MS ? (Number) value : Math.round(value);
    }

    /** Adds the values of the whole measurement. */
    static void addAggregates(Fields root, PeriodSnapshot total) {
        for (LatencyMetric metric : shown(total)) {
            LatencySummary summary = total.latency(metric.latency()).summary();
            for (LatencyFigure figure : LatencyFigure.ALL) {
                root.add(metric.aggregated(figure.suffix()), value(metric, figure, summary));
            }
        }
    }

    /** Adds the distributions of the whole measurement, by far the longest part. */
    static void addQuantiles(Fields root, PeriodSnapshot total) {
        for (LatencyMetric metric : shown(total)) {
            root.add(metric.aggregated("Quantiles"), quantiles(metric.unit(), total.latency(metric.latency())));
        }
    }

    private static Fields quantiles(LatencyMetric.Unit unit, LatencySnapshot latencies) {
        Fields quantiles = new Fields();
        if (latencies.count() > 0) {
            for (HistogramIterationValue step : latencies.histogram().percentiles(QUANTILE_STEPS)) {
                quantiles.add(Quantities.decimalText(step.getPercentile()), number(unit, step.getValueIteratedTo()));
            }
        }
        return quantiles;
    }

    private static List<LatencyMetric> shown(PeriodSnapshot total) {
        return LatencyMetric.ALL.stream()
                .filter(metric ->
                        metric.inOmb() || total.latency(metric.latency()).count() > 0)
                .toList();
    }
}
