package io.openmessaging.benchmark.harness;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One figure with its limit, measured several times; the median counts.
 *
 * @param limit NaN for a figure that is only reported
 * @param atMost true if the limit is an upper bound, false if it is a lower bound
 * @param samples measured values
 */
record Bar(String what, String unit, double limit, boolean atMost, List<Double> samples) {

    void add(double sample) {
        samples.add(sample);
    }

    boolean isMeasured() {
        return !samples.isEmpty();
    }

    boolean isMet() {
        double median = middle(sorted());
        return !isJudged() || (atMost ? median <= limit : median >= limit);
    }

    private boolean isJudged() {
        return !Double.isNaN(limit);
    }

    private double[] sorted() {
        return samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    /** Returns the median of sorted values; NaN if there are none. */
    private static double middle(double[] sorted) {
        int half = sorted.length / 2;
        return Arrays.stream(sorted, (sorted.length - 1) / 2, Math.min(half + 1, sorted.length))
                .average()
                .orElse(Double.NaN);
    }

    /** Returns a row of a Markdown table. */
    String row() {
        double[] sorted = sorted();
        return "| %s | %s | %s %s%s | %s |"
                .formatted(
                        what,
                        isJudged() ? (atMost ? "≤ " : "≥ ") + number(limit) + " " + unit : "none",
                        number(middle(sorted)),
                        unit,
                        sorted.length < 2
                                ? ""
                                : " (" + number(sorted[0]) + " … " + number(sorted[sorted.length - 1]) + ")",
                        !isJudged() ? "" : isMet() ? "met" : "MISSED");
    }

    private static String number(double value) {
        double magnitude = Math.abs(value);
        String pattern = magnitude >= 100 || magnitude == Math.rint(magnitude) ? "%,.0f" : "%.2f";
        return String.format(Locale.ROOT, pattern, value);
    }
}
