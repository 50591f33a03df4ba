package io.openmessaging.benchmark.summary;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Estimate of a metric from several runs. The charts use the same rule for the interval ({@code statistics.py}): the
 * tests of both read the same examples.
 *
 * @param n number of runs
 * @param mean of their values
 * @param sd the sample's standard deviation; null for a single run
 * @param median of their values
 * @param ci95Low lower bound of the 95 % confidence interval of the median; null if the values give no valid interval
 * @param ci95High upper bound; null likewise
 * @param min the lowest value
 * @param max the highest value
 */
public record Estimate(
        int n,
        double mean,
        @Nullable Double sd,
        double median,
        @Nullable Double ci95Low,
        @Nullable Double ci95High,
        double min,
        double max) {

    /** Fewer runs give no interval: both of two may have a stall that most runs do not have. */
    public static final int FEWEST_RUNS = 3;

    /** Half of the probability outside the interval lies above it. */
    private static final double QUANTILE = 0.975;

    private record Ends(double low, double high) {}

    /**
     * Returns the estimate from the values of runs. With enough values, which is six or more, the interval is that of
     * order statistics, which holds for every distribution. With fewer it is Student's interval of the logarithms,
     * which holds for lognormal values and, with so few, for those with stalls in some runs. There is no interval for
     * fewer than six values with zero or less among them, nor for fewer than {@value #FEWEST_RUNS}. No interval is
     * narrower than the third digit of the median.
     *
     * @param values at least one
     */
    public static Estimate of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("An estimate needs a value");
        }
        double mean = Mean.of(values).getAsDouble();
        double median = Median.withDefaults().evaluate(values);
        double[] sorted = DoubleStream.of(values).sorted().toArray();
        Double sd = values.length == 1 ? null : StandardDeviation.of(values).getAsDouble();
        Ends ends = interval(sorted, median).orElse(null);
        return new Estimate(
                values.length,
                mean,
                sd,
                median,
                ends == null ? null : ends.low,
                ends == null ? null : ends.high,
                sorted[0],
                sorted[sorted.length - 1]);
    }

    /**
     * Returns the estimate of how often something is the case, from values that say of each run that it was or was not.
     * The interval is the range of the runs: three that agree are as far as a study goes.
     *
     * @param values at least one
     */
    public static Estimate ofShares(double... values) {
        Estimate plain = of(values);
        boolean enough = values.length >= FEWEST_RUNS;
        return new Estimate(
                plain.n,
                plain.mean,
                plain.sd,
                plain.median,
                enough ? plain.min : null,
                enough ? plain.max : null,
                plain.min,
                plain.max);
    }

    private static Optional<Ends> interval(double[] sorted, double median) {
        if (sorted.length < FEWEST_RUNS) {
            return Optional.empty();
        }
        int rank = BinomialDistribution.of(sorted.length, 0.5).inverseCumulativeProbability(1 - QUANTILE);
        if (rank == 0 && sorted[0] <= 0) {
            return Optional.empty();
        }
        Ends ends = rank > 0
                ? new Ends(sorted[rank - 1], sorted[sorted.length - rank])
                : ofLogarithms(sorted, halfDigit(median) / median);
        return Optional.of(new Ends(
                Math.min(ends.low, median - halfDigit(median)), Math.max(ends.high, median + halfDigit(median))));
    }

    /**
     * Returns the interval from the logarithms. Values are rounded, so their logarithms deviate by at least half of the
     * third digit.
     */
    private static Ends ofLogarithms(double[] values, double leastDeviation) {
        double[] logarithms = Arrays.stream(values).map(Math::log).toArray();
        double mean = Mean.of(logarithms).getAsDouble();
        double sd = Math.max(StandardDeviation.of(logarithms).getAsDouble(), leastDeviation);
        double t = TDistribution.of(values.length - 1).inverseCumulativeProbability(QUANTILE);
        double half = t * sd / Math.sqrt(values.length);
        return new Ends(Math.exp(mean - half), Math.exp(mean + half));
    }

    /**
     * Returns half a unit of the third significant digit, which is the precision of histograms and displayed figures.
     */
    private static double halfDigit(double value) {
        return value == 0 ? 0 : Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - 2) / 2;
    }
}
