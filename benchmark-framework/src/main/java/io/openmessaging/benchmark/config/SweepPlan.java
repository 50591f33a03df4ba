package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rates to measure in one run, each a constant multiple of the previous one: {@code rateSweep}.
 *
 * @param from the first and lowest rate of all producers together, messages or bytes per second
 * @param to the highest rate; with a {@code factor}, the last rate may be below it
 * @param steps number of rates; null with {@code factor}
 * @param factor factor from each rate to the next; null with {@code steps}
 * @param each time for which a rate is measured, after two fifths of that time in which it settles
 * @param beyond number of rates to measure after one that was not sustained, unless one of them is sustained; 0 by
 *     default
 */
public record SweepPlan(
        @Nullable ProducerRate from,
        @Nullable ProducerRate to,
        @Range(from = "2", to = "100") @Nullable Integer steps,
        // A smaller factor would separate rates that no measurement can distinguish.
        @Range(from = "1.01") @Nullable Double factor,

        @Shortened(least = "1s") @Range(from = "1s", to = "30d") @Nullable
        Duration each,

        @Default(value = "0", told = true) @Range(from = "0", to = "100") @Nullable
        Integer beyond)
        implements Checked {

    private static final int MIN_STEPS = 2;
    private static final int MAX_STEPS = 100;

    /** Tolerance for a last rate that equals the highest but for rounding. */
    private static final double ROUNDING = 1e-9;

    private static final String RATE_RULE = "must be messages a second, or bytes such as 10 MB/s";

    /** Returns the rates in messages per second, from the lowest to the highest. */
    public List<Double> rates(double meanMessageBytes) {
        double low = messagesPerSecond(from, meanMessageBytes);
        double high = messagesPerSecond(to, meanMessageBytes);
        int count = count(high / low);
        double step = factor == null ? Math.pow(high / low, 1.0 / (count - 1)) : factor;
        return IntStream.range(0, count)
                .mapToObj(i -> steps != null && i == count - 1 ? high : low * Math.pow(step, i))
                .toList();
    }

    private int count(double span) {
        if (steps != null) {
            return steps;
        }
        return factor == null ? 0 : 1 + (int) Math.floor(Math.log(span) / Math.log(factor) + ROUNDING);
    }

    private static double messagesPerSecond(@Nullable ProducerRate rate, double meanMessageBytes) {
        OptionalDouble messages = rate == null ? OptionalDouble.empty() : rate.messagesPerSecond(meanMessageBytes);
        return messages.orElse(0);
    }

    /** Returns the time for which a rate is measured. */
    public Duration stepTime() {
        return each == null ? Duration.ZERO : each;
    }

    /** Returns the time in which a rate settles before it is measured. */
    public Duration settleTime() {
        return stepTime().multipliedBy(2).dividedBy(5);
    }

    /** Returns the number of rates to measure after one that was not sustained. */
    public int further() {
        return beyond == null ? 0 : beyond;
    }

    /** Returns the total time in which all rates settle and are measured; zero if the sweep is invalid. */
    public Duration totalTime(double meanMessageBytes) {
        return isSound(meanMessageBytes)
                ? stepTime()
                        .plus(settleTime())
                        .multipliedBy(rates(meanMessageBytes).size())
                : Duration.ZERO;
    }

    /** Returns whether the sweep is valid. */
    boolean isSound(double meanMessageBytes) {
        Problems problems = new Problems();
        check(problems);
        checkSpan(meanMessageBytes, problems);
        return problems.found().isEmpty()
                && meanMessageBytes > 0
                && (steps == null || steps >= MIN_STEPS && steps <= MAX_STEPS);
    }

    @Override
    public void check(Problems problems) {
        checkRate(problems, "from", from);
        checkRate(problems, "to", to);
        if (steps == null && factor == null) {
            problems.add("steps", "the sweep needs a number of rates, such as 7, or factor, such as 2", null);
        }
        problems.require(
                steps == null || factor == null,
                "factor",
                "must be absent with steps, which has the same purpose",
                factor);
        problems.require(each != null, "each", "the rates need a length, such as 30s", null);
    }

    private static void checkRate(Problems problems, String key, @Nullable ProducerRate rate) {
        if (rate == null) {
            problems.add(key, RATE_RULE, null);
        } else {
            problems.require(
                    rate instanceof ProducerRate.Fixed || rate instanceof ProducerRate.Bytes,
                    key,
                    RATE_RULE,
                    rate.toString());
        }
    }

    /** Checks rules that depend on the size of the messages. */
    void checkSpan(double meanMessageBytes, Problems problems) {
        double low = messagesPerSecond(from, meanMessageBytes);
        double high = messagesPerSecond(to, meanMessageBytes);
        if (low <= 0 || high <= 0 || !(meanMessageBytes > 0)) {
            return;
        }
        String possible = "must be from 0.001 to 1000000000 messages a second";
        problems.require(ProducerRate.isPossible(low), "from", possible, String.valueOf(from));
        problems.require(ProducerRate.isPossible(high), "to", possible, String.valueOf(to));
        problems.require(high > low, "to", "must be above from, which is " + from, String.valueOf(to));
        if (high > low && steps == null && factor != null) {
            problems.require(
                    count(high / low) >= MIN_STEPS && count(high / low) <= MAX_STEPS,
                    "factor",
                    "must lead from from to to in " + MIN_STEPS + " to " + MAX_STEPS + " rates",
                    factor);
        }
    }
}
