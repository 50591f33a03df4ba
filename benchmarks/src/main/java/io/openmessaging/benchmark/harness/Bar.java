package io.openmessaging.benchmark.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One figure with the limit that it has to keep, if it has one, measured several times; the median counts. */
final class Bar {

    private final String what;
    private final String unit;
    private final double limit;
    private final boolean atMost;
    private final List<Double> samples = new ArrayList<>();

    private Bar(String what, String unit, double limit, boolean atMost) {
        this.what = what;
        this.unit = unit;
        this.limit = limit;
        this.atMost = atMost;
    }

    static Bar atMost(String what, double limit, String unit) {
        return new Bar(what, unit, limit, true);
    }

    static Bar atLeast(String what, double limit, String unit) {
        return new Bar(what, unit, limit, false);
    }

    /** A figure that is told but has no limit. */
    static Bar measured(String what, String unit) {
        return new Bar(what, unit, Double.NaN, true);
    }

    void add(double sample) {
        samples.add(sample);
    }

    /** The middle one of the samples; not a number before the first. */
    double median() {
        if (samples.isEmpty()) {
            return Double.NaN;
        }
        List<Double> sorted = new ArrayList<>(samples);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    boolean isMet() {
        return !isJudged() || (atMost ? median() <= limit : median() >= limit);
    }

    private boolean isJudged() {
        return !Double.isNaN(limit);
    }

    /** A Markdown table. */
    static String table(List<Bar> bars, int repetitions) {
        return "| what | bar | measured: median (range of " + repetitions + ") | |\n|---|---|---|---|\n"
                + bars.stream().map(Bar::row).collect(Collectors.joining("\n"));
    }

    /** A row of a Markdown table. */
    String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s |",
                what,
                isJudged() ? (atMost ? "≤ " : "≥ ") + number(limit) + " " + unit : "none",
                number(median()) + " " + unit + spread(),
                !isJudged() ? "" : isMet() ? "met" : "MISSED");
    }

    private String spread() {
        return samples.size() < 2
                ? ""
                : " (" + number(Collections.min(samples)) + " … " + number(Collections.max(samples)) + ")";
    }

    private static String number(double value) {
        double magnitude = Math.abs(value);
        String pattern = magnitude >= 100 || magnitude == Math.rint(magnitude) ? "%,.0f" : "%.2f";
        return String.format(Locale.ROOT, pattern, value);
    }
}
