package io.openmessaging.benchmark.claims;

import java.util.DoubleSummaryStatistics;
import java.util.stream.DoubleStream;

/**
 * The interval in which a number lies. Interval arithmetic: a result contains every number that any two numbers within
 * the intervals can yield. It ignores which of them are likely, and so is on the safe side.
 *
 * @param low lower bound
 * @param high upper bound
 */
record Interval(double low, double high) {

    /** An interval without bounds: the number is unknown. */
    private static final Interval ANYWHERE = new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    static Interval of(double value) {
        return new Interval(value, value);
    }

    Interval plus(Interval other) {
        return new Interval(low + other.low, high + other.high);
    }

    Interval minus(Interval other) {
        return new Interval(low - other.high, high - other.low);
    }

    Interval times(Interval other) {
        return spanning(low * other.low, low * other.high, high * other.low, high * other.high);
    }

    Interval dividedBy(Interval other) {
        return other.low <= 0 && other.high >= 0
                ? ANYWHERE
                : spanning(low / other.low, low / other.high, high / other.low, high / other.high);
    }

    private static Interval spanning(double... corners) {
        DoubleSummaryStatistics span = DoubleStream.of(corners).summaryStatistics();
        return Double.isNaN(span.getMin()) ? ANYWHERE : new Interval(span.getMin(), span.getMax());
    }

    /** Returns whether every number in it is larger than every number in the other. */
    boolean above(Interval other) {
        return low > other.high;
    }

    boolean within(Interval other) {
        return low >= other.low && high <= other.high;
    }
}
