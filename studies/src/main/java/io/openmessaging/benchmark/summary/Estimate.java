package io.openmessaging.benchmark.summary;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Estimate of a metric from several runs. The charts use the same rule for the interval ({@code statistics.py}): the
 * tests of both read the same examples.
 *
 * @param n number of runs
 * @param mean of their values
 * @param sd the sample's standard deviation; null for a single run
 * @param sdCi95Low lower bound of the 95 % confidence interval of the standard deviation; null for fewer than five runs
 * @param sdCi95High upper bound; null likewise
 * @param median of their values
 * @param ci95Low lower bound of the 95 % confidence interval of the median; null if the values give no valid interval
 * @param ci95High upper bound; null likewise
 * @param min the lowest value
 * @param max the highest value
 * @param values the values, sorted; empty if the intervals do not follow from them: these then hold with any confidence
 */
public record Estimate(
        int n,
        double mean,
        @Nullable Double sd,
        @Nullable Double sdCi95Low,
        @Nullable Double sdCi95High,
        double median,
        @Nullable Double ci95Low,
        @Nullable Double ci95High,
        double min,
        double max,
        @JsonIgnore List<Double> values) {

    /** Fewer runs give no interval: both of two may have a stall that most runs do not have. */
    public static final int FEWEST_RUNS = 3;

    /** The probability outside an interval; half of it lies above. */
    private static final double ALPHA = 0.05;

    /** Fewer runs give no interval of the standard deviation. */
    public static final int FEWEST_RUNS_OF_SD = 5;

    private record Ends(double low, double high) {

        Ends atLeast(double half, double around) {
            return new Ends(Math.min(low, around - half), Math.max(high, around + half));
        }
    }

    public Estimate {
        values = List.copyOf(values);
    }

    /**
     * Returns the estimate from the values of runs. With enough values, which is six or more, the interval is that of
     * order statistics, which holds for every distribution. With fewer it is Student's interval of the logarithms,
     * which holds for lognormal values and, with so few, for those with stalls in some runs. There is no interval for
     * fewer than six values with zero or less among them, nor for fewer than {@value #FEWEST_RUNS}. No interval is
     * narrower than the third digit of the median.
     *
     * <p>The interval of the standard deviation is that of D. G. Bonett, "Approximate confidence interval for standard
     * deviation of nonnormal distributions", Computational Statistics and Data Analysis 50 (2006): it becomes wider if
     * single runs are far from the others.
     *
     * @param values at least one
     */
    public static Estimate of(double... values) {
        return of(ALPHA, values);
    }

    private static Estimate of(double alpha, double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("An estimate needs a value");
        }
        double[] sorted = DoubleStream.of(values).sorted().toArray();
        double mean = Mean.of(sorted).getAsDouble();
        double median = Median.withDefaults().evaluate(sorted);
        Double sd = values.length == 1 ? null : StandardDeviation.of(sorted).getAsDouble();
        Ends ends = interval(sorted, median, alpha / 2).orElse(null);
        Ends ofSd = sd == null || values.length < FEWEST_RUNS_OF_SD
                ? null
                : ofDeviation(sorted, mean, sd, alpha / 2).atLeast(halfDigit(median), sd);
        return new Estimate(
                values.length,
                mean,
                sd,
                ofSd == null ? null : Math.max(0, ofSd.low),
                ofSd == null ? null : ofSd.high,
                median,
                ends == null ? null : ends.low,
                ends == null ? null : ends.high,
                sorted[0],
                sorted[sorted.length - 1],
                DoubleStream.of(sorted).boxed().toList());
    }

    /**
     * Returns the estimate as one of so many that are judged together: all of their intervals hold at once with a
     * confidence of 95 %, because each leaves out 5 % divided by their number (Bonferroni), as in the charts'
     * comparisons.
     */
    public Estimate among(int estimates) {
        return values.isEmpty() || estimates == 1
                ? this
                : of(
                        ALPHA / estimates,
                        values.stream().mapToDouble(Double::doubleValue).toArray());
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
                plain.sdCi95Low,
                plain.sdCi95High,
                plain.median,
                enough ? plain.min : null,
                enough ? plain.max : null,
                plain.min,
                plain.max,
                List.of());
    }

    /**
     * Returns the estimate of the standard deviation, in the place of the median; null for a single run, which has none.
     */
    @Nullable
    Estimate ofSd() {
        return sd == null ? null : new Estimate(n, sd, null, null, null, sd, sdCi95Low, sdCi95High, sd, sd, List.of());
    }

    private static Optional<Ends> interval(double[] sorted, double median, double tail) {
        if (sorted.length < FEWEST_RUNS) {
            return Optional.empty();
        }
        int rank = BinomialDistribution.of(sorted.length, 0.5).inverseCumulativeProbability(tail);
        if (rank == 0 && sorted[0] <= 0) {
            return Optional.empty();
        }
        Ends ends = rank > 0
                ? new Ends(sorted[rank - 1], sorted[sorted.length - rank])
                : ofLogarithms(sorted, halfDigit(median) / median, tail);
        return Optional.of(ends.atLeast(halfDigit(median), median));
    }

    private static Ends ofDeviation(double[] sorted, double mean, double sd, double tail) {
        if (sd == 0) {
            return new Ends(0, 0);
        }
        int n = sorted.length;
        int trimmed = (int) (n / (2 * Math.sqrt(n - 4.0)));
        double center =
                Mean.of(Arrays.copyOfRange(sorted, trimmed, n - trimmed)).getAsDouble();
        double squares =
                DoubleStream.of(sorted).map(value -> Math.pow(value - mean, 2)).sum();
        double kurtosis = n
                * DoubleStream.of(sorted)
                        .map(value -> Math.pow(value - center, 4))
                        .sum()
                / squares
                / squares;
        double z = NormalDistribution.of(0, 1).inverseCumulativeProbability(1 - tail);
        double c = n / (n - z);
        double half = z * c * Math.sqrt((kurtosis - (n - 3.0) / n) / (n - 1));
        return new Ends(sd * Math.sqrt(c * Math.exp(-half)), sd * Math.sqrt(c * Math.exp(half)));
    }

    /**
     * Returns the interval from the logarithms. Values are rounded, so their logarithms deviate by at least half of the
     * third digit.
     */
    private static Ends ofLogarithms(double[] values, double leastDeviation, double tail) {
        double[] logarithms = Arrays.stream(values).map(Math::log).toArray();
        double mean = Mean.of(logarithms).getAsDouble();
        double sd = Math.max(StandardDeviation.of(logarithms).getAsDouble(), leastDeviation);
        double t = TDistribution.of(values.length - 1).inverseCumulativeProbability(1 - tail);
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
