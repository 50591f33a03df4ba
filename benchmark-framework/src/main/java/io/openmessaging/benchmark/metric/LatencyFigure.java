package io.openmessaging.benchmark.metric;

import io.openmessaging.benchmark.measure.LatencySummary;
import java.util.List;

/**
 * A figure of a latency's distribution.
 *
 * @param suffix end of the field names, such as {@code 99pct}
 * @param percentile the percentile, 100 for the largest value; NaN for the mean
 */
public record LatencyFigure(String suffix, double percentile) {

    /** All figures, in the order of the table. */
    public static final List<LatencyFigure> ALL = SharedDefinitions.read("metrics.yaml")
            .path("latencyFigures")
            .propertyStream()
            .map(figure -> new LatencyFigure(
                    figure.getKey(), percentile(figure.getValue().asString())))
            .toList();

    private static double percentile(String label) {
        return switch (label) {
            case "mean" -> Double.NaN;
            case "maximum" -> 100;
            default -> Double.parseDouble(label.substring("p".length()));
        };
    }

    /** Returns whether this is the mean. */
    public boolean isMean() {
        return Double.isNaN(percentile);
    }

    /** Returns the value, in nanoseconds. */
    public double valueNs(LatencySummary latencies) {
        if (isMean()) {
            return latencies.meanNs();
        }
        return percentile == 100 ? latencies.maxNs() : latencies.atNs(percentile);
    }

    /** Returns the number of samples below which this figure is just the largest value. */
    public long samplesNeeded() {
        boolean ofTheTail = percentile > 50 && percentile < 100;
        return ofTheTail ? Math.round(100 / (100 - percentile)) : 1;
    }
}
