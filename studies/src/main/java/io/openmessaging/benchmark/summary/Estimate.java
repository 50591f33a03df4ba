package io.openmessaging.benchmark.summary;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * What some runs say about a metric.
 *
 * @param n how many runs
 * @param mean of their values
 * @param sd the sample's standard deviation; null for a single run
 * @param ci95Low where the 95 % confidence interval of the mean begins; null for a single run
 * @param ci95High where it ends; null for a single run
 */
public record Estimate(
        int n,
        double mean,
        @Nullable Double sd,
        @Nullable Double ci95Low,
        @Nullable Double ci95High) {

    /** Half of what is outside the interval lies above it. */
    private static final double QUANTILE = 0.975;

    /**
     * The estimate from the values of runs: Student's t distribution, as the deviation is not known but estimated from a
     * few runs.
     *
     * @param values at least one
     */
    public static Estimate of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("An estimate needs a value");
        }
        double mean = Mean.of(values).getAsDouble();
        if (values.length == 1) {
            return new Estimate(1, mean, null, null, null);
        }
        double sd = StandardDeviation.of(values).getAsDouble();
        double t = TDistribution.of(values.length - 1).inverseCumulativeProbability(QUANTILE);
        double half = t * sd / Math.sqrt(values.length);
        return new Estimate(values.length, mean, sd, mean - half, mean + half);
    }
}
