package io.openmessaging.benchmark.metric;

import io.openmessaging.benchmark.measure.LatencySummary;
import java.util.List;

/**
 * A figure of a latency's distribution.
 *
 * @param suffix the end of the names of its fields, such as {@code 99pct}
 * @param percentile which, 100 for the largest; not a number for the mean
 */
public record LatencyFigure(String suffix, double percentile) {

    /** All, in the order of the table. */
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

    /** Whether it is the mean. */
    public boolean isMean() {
        return Double.isNaN(percentile);
    }

    /** Its value, in nanoseconds. */
    public double valueNs(LatencySummary latencies) {
        if (isMean()) {
            return latencies.meanNs();
        }
        return percentile == 100 ? latencies.maxNs() : latencies.atNs(percentile);
    }

    /** How many samples a distribution has to have for this figure to be more than its largest value. */
    public long samplesNeeded() {
        boolean ofTheTail = percentile > 50 && percentile < 100;
        return ofTheTail ? Math.round(100 / (100 - percentile)) : 1;
    }
}
