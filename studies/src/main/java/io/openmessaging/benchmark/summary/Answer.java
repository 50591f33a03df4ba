package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.summary.SystemsTable.Figures;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says in a sentence which of several systems is better with a load, and whether the confidence intervals of both
 * medians overlap. It does not say whether a difference is certain: that takes a test that knows how many comparisons
 * there are, which is in one place, the charts ({@code statistics.py}).
 *
 * @param rows all systems, the best one first, those without reliable figures last
 * @param equalRates whether all reliable systems carried the same rate; then latencies are compared, else rates first
 * @param p99 name of the latency metric to compare
 */
record Answer(List<SystemRow> rows, boolean equalRates, String p99) {

    /** Follows answers if one {@link #isOfOneRun}. */
    static final String REPEAT =
            " One run of a system decides nothing: repeat them four times or more (--repetitions of quick and plan).";

    private static final double NS_PER_MS = 1e6;

    /** Counts for how many loads each system is the better one, in a sentence for all of them. */
    static String counts(Collection<Answer> answers) {
        Map<String, Long> best = answers.stream()
                .map(Answer::reliable)
                .filter(reliable -> reliable.size() > 1)
                .collect(Collectors.groupingBy(
                        reliable -> reliable.get(0).system(), LinkedHashMap::new, Collectors.counting()));
        long open = answers.size()
                - best.values().stream().mapToLong(Long::longValue).sum();
        String counts = best.entrySet().stream()
                .map(each -> each.getKey() + " is ahead in " + each.getValue())
                .collect(Collectors.joining(", "));
        return "By the medians of " + answers.size() + " loads, " + counts
                + (open == 0
                        ? ""
                        : (counts.isEmpty() ? "" : "; ") + open + " without figures of two systems to rely on")
                + ". bin/benchmark report tests what is certain.";
    }

    private List<SystemRow> reliable() {
        return rows.stream()
                .filter(row ->
                        row.isReliable(Figures.HIGHEST_RATE) && row.rate().isPresent())
                .toList();
    }

    /** Returns whether one of the two systems that are compared has only one run. */
    boolean isOfOneRun() {
        List<SystemRow> reliable = reliable();
        return reliable.size() > 1 && reliable.stream().limit(2).anyMatch(row -> runs(row) == 1);
    }

    String sentence() {
        List<SystemRow> reliable = reliable();
        if (reliable.size() < 2) {
            String others = rows.stream()
                    .filter(row -> reliable.isEmpty() ? row.isVague() : !reliable.contains(row))
                    .map(row -> row.system() + ": " + row.verdicts())
                    .collect(Collectors.joining("; "));
            return (reliable.isEmpty() ? "No system" : "Only " + reliable.get(0).system())
                    + " has figures to rely on."
                    + (others.isEmpty() ? "" : " " + others + ".");
        }
        SystemRow best = reliable.get(0);
        SystemRow next = reliable.get(1);
        return equalRates ? ofLatency(best, next, reliable.size()) : ofRate(best, next);
    }

    private static int runs(SystemRow row) {
        return row.rate().map(Estimate::n).orElse(0);
    }

    private String ofLatency(SystemRow best, SystemRow next, int systems) {
        String rate =
                best.rate().map(Estimate::median).map(Quantities::messageRate).orElse("");
        Optional<Estimate> here = best.figure(Figures.LATENCIES, p99);
        Optional<Estimate> there = next.figure(Figures.LATENCIES, p99);
        if (here.isEmpty() || there.isEmpty()) {
            return "All systems carried " + rate + ", and their end-to-end latencies were not measured.";
        }
        boolean shared = best.hasSharedLatencies() || next.hasSharedLatencies();
        return "At %s, %s has the %s end-to-end p99: %s, %s %s (%s)%s."
                .formatted(
                        rate,
                        best.system(),
                        systems > 2 ? "lowest" : "lower",
                        time(here.get()),
                        next.system(),
                        time(there.get()),
                        intervals(here.get(), there.get()),
                        shared ? ", but others used the machine" : "");
    }

    private static String time(Estimate latency) {
        return Quantities.latency(latency.median() * NS_PER_MS);
    }

    private String ofRate(SystemRow best, SystemRow next) {
        Estimate here = best.rate().orElseThrow();
        Estimate there = next.rate().orElseThrow();
        return "%s %s %s × %s's rate (%s)%s."
                .formatted(
                        best.system(),
                        best.isSearched() ? "sustains" : "achieves",
                        Quantities.number(here.median() / there.median()),
                        next.system(),
                        intervals(here, there),
                        withLatency(best, next));
    }

    /** Compares the latencies that go with the rates; empty if one is not reliable or was not measured. */
    private String withLatency(SystemRow best, SystemRow next) {
        Optional<Estimate> here = best.figure(Figures.LATENCIES, p99);
        Optional<Estimate> there = next.figure(Figures.LATENCIES, p99);
        boolean doubtful = best.isDoubtful(Figures.LATENCIES) || next.isDoubtful(Figures.LATENCIES);
        if (doubtful || here.isEmpty() || there.isEmpty()) {
            return "";
        }
        boolean ofHalf = best.runs().stream().anyMatch(run -> run.figures() == Figures.LATENCIES);
        return " at a %s p99%s (%s)"
                .formatted(
                        here.get().median() < there.get().median() ? "lower" : "higher",
                        ofHalf ? ", each at half of its rate" : "",
                        intervals(here.get(), there.get()));
    }

    /** Returns how many runs each system has at least, and whether the intervals overlap. */
    private static String intervals(Estimate one, Estimate other) {
        int fewest = Math.min(one.n(), other.n());
        String runs = Quantities.counted(fewest, "run");
        Double oneLow = one.ci95Low();
        Double oneHigh = one.ci95High();
        Double otherLow = other.ci95Low();
        Double otherHigh = other.ci95High();
        if (oneLow == null || oneHigh == null || otherLow == null || otherHigh == null) {
            return runs;
        }
        return runs + ", intervals " + (oneHigh < otherLow || otherHigh < oneLow ? "apart" : "overlap");
    }
}
