package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Computes the drift of figures over a number of periods: a least-squares line is fitted to them, and its rise or fall
 * from the first to the last period is compared with their mean. One outlying period has little influence on it, while
 * a trend shows. Pure.
 */
public final class RateDrift {

    /** Fewer points make no line. */
    static final int MIN_PERIODS = 3;

    private RateDrift() {}

    /** The drift of the publish rate; positive, whether it rises or falls. */
    public static double ofRate(List<PeriodSnapshot> periods) {
        return of(periods, PeriodSnapshot::publishRate);
    }

    /** The drift of the median publish latency; positive, whether it rises or falls. */
    public static double ofLatency(List<PeriodSnapshot> periods) {
        return of(periods, period -> {
            LatencySnapshot latencies = period.latency(Latency.PUBLISH);
            return latencies.count() == 0 ? 0 : latencies.histogram().getValueAtPercentile(50);
        });
    }

    private static double of(List<PeriodSnapshot> periods, ToDoubleFunction<PeriodSnapshot> figure) {
        double[] values = periods.stream().mapToDouble(figure).toArray();
        double[] middlesS = periods.stream()
                .mapToDouble(period -> (period.startNs() - periods.get(0).startNs()) / 1e9 + period.seconds() / 2)
                .toArray();
        return Math.abs(relativeChange(middlesS, values));
    }

    /** The change of the fitted line from the first to the last point, as a part of their mean; 0 if that is 0. */
    static double relativeChange(double[] x, double[] y) {
        double meanX = mean(x);
        double meanY = mean(y);
        double products = 0;
        double squares = 0;
        for (int i = 0; i < x.length; i++) {
            products += (x[i] - meanX) * (y[i] - meanY);
            squares += (x[i] - meanX) * (x[i] - meanX);
        }
        if (squares == 0 || meanY == 0) {
            return 0;
        }
        return products / squares * (x[x.length - 1] - x[0]) / meanY;
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return values.length == 0 ? 0 : sum / values.length;
    }
}
