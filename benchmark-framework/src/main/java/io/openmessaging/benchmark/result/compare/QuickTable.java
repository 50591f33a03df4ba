package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.compare.Promises.Promise;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A table that compares systems by a search for the highest rate and a run at half of that rate. */
public final class QuickTable {

    private static final List<String> HEAD = List.of(
            "system", "msg/s", "publish p50", "p99", "end-to-end p50", "p99", "p99.9", "CPU µs/msg", "lost", "verdict");

    private static final String NONE = "–";

    private static final String NOT_CONFIRMED = "not confirmed";

    /**
     * One system's row.
     *
     * @param name name from the driver file
     * @param verdicts verdicts of the system's runs
     * @param promise promise for acknowledged messages; null if no run has one
     * @param foundMsgPerSec the rate that the search found; null if it found none
     * @param search metrics of the search for the highest rate, and of the measurement at it
     * @param latency metrics of the run at half of that rate
     */
    public record QuickRow(
            String name,
            List<Verdict> verdicts,
            @Nullable Promise promise,
            @Nullable Double foundMsgPerSec,
            Map<String, Double> search,
            Map<String, Double> latency) {

        /** Creates a row without figures, for a run that FAILED or was INTERRUPTED before it measured anything. */
        public static QuickRow empty(String name, Verdict verdict) {
            return new QuickRow(name, List.of(verdict), null, null, Map.of(), Map.of());
        }

        /** Creates a row after the search, whose result file may be missing. */
        public static QuickRow of(String name, Verdict verdict, JsonNode result) {
            JsonNode found = result.path("search").path("foundRate");
            return new QuickRow(
                    name,
                    List.of(verdict),
                    Promise.of(result),
                    found.isNumber() ? found.doubleValue() : null,
                    RunMetrics.of(result),
                    Map.of());
        }

        /** Returns a copy with the latencies of the second run. */
        public QuickRow with(Verdict verdict, JsonNode result) {
            return new QuickRow(
                    name, List.of(verdicts.get(0), verdict), promise, foundMsgPerSec, search, RunMetrics.of(result));
        }

        /** Returns the highest rate, even if the measurement at it does not confirm it; empty if none was found. */
        public OptionalDouble highestMsgPerSec() {
            Double rate = search.getOrDefault("sustainableRate", foundMsgPerSec);
            return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
        }

        private boolean isConfirmed() {
            return search.containsKey("sustainableRate");
        }

        /** Returns whether a run has a verdict other than OK. */
        public boolean failed() {
            return verdicts.stream().anyMatch(verdict -> verdict != Verdict.OK);
        }

        private List<String> cells() {
            Double cpuMs = latency.get("brokerCpuMsPerMessage");
            return List.of(
                    name,
                    isConfirmed() || foundMsgPerSec == null
                            ? judged(0, number(search.get("sustainableRate"), "%,.0f"))
                            : NOT_CONFIRMED,
                    milliseconds("scheduledPublishLatency50pct"),
                    milliseconds("scheduledPublishLatency99pct"),
                    milliseconds("scheduledEndToEndLatency50pct"),
                    milliseconds("scheduledEndToEndLatency99pct"),
                    milliseconds("scheduledEndToEndLatency999pct"),
                    judged(1, number(cpuMs == null ? null : 1e3 * cpuMs, "%,.0f")),
                    number(lost(), "%,.0f"),
                    verdicts.stream().distinct().map(Verdict::name).collect(Collectors.joining(", ")));
        }

        /** Returns the messages lost in both runs together; null if neither run has the figure. */
        private @Nullable Double lost() {
            return Stream.of(search, latency)
                    .map(metrics -> metrics.get("messagesLost"))
                    .filter(Objects::nonNull)
                    .reduce(Double::sum)
                    .orElse(null);
        }

        private String milliseconds(String metric) {
            return judged(1, number(latency.get(metric), "%,.2f ms"));
        }

        /** Puts the cell in brackets if that run is INVALID: its figures do not mean what they seem to. */
        private String judged(int run, String cell) {
            boolean invalid = verdicts.size() > run && verdicts.get(run) == Verdict.INVALID;
            return invalid && !cell.equals(NONE) ? "(" + cell + ")" : cell;
        }
    }

    private QuickTable() {}

    private static String number(@Nullable Double value, String pattern) {
        return value == null ? NONE : String.format(Locale.ROOT, pattern, value);
    }

    /** Returns the lines of the table, preceded by a warning if the systems promise different things. */
    public static List<String> lines(List<QuickRow> rows) {
        List<List<String>> table = new ArrayList<>(List.of(HEAD));
        rows.forEach(row -> table.add(row.cells()));
        int[] widths = IntStream.range(0, HEAD.size())
                .map(column -> table.stream()
                        .mapToInt(cells -> cells.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        List<String> lines = new ArrayList<>(promises(rows));
        table.forEach(cells -> lines.add(line(cells, widths)));
        lines.add(
                "msg/s: the highest rate that the system sustained, confirmed and achieved in a measurement. Latencies, from"
                        + " the intended send, and processor time of the broker are measured at half that rate.");
        if (rows.stream().anyMatch(row -> row.verdicts().contains(Verdict.INVALID))) {
            lines.add("Values in brackets are from a run that is INVALID.");
        }
        rows.stream()
                .filter(row -> !row.isConfirmed() && row.foundMsgPerSec() != null)
                .map(row -> String.format(
                        Locale.ROOT,
                        "%s: not confirmed: the measurement at %,.0f msg/s, which the search found, is %s.",
                        row.name(),
                        row.foundMsgPerSec(),
                        row.verdicts().get(0)))
                .forEach(lines::add);
        return lines;
    }

    private static String line(List<String> cells, int[] widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> pad(cells.get(column), widths[column], column == 0))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    private static String pad(String cell, int width, boolean left) {
        char[] spaces = new char[width - cell.length()];
        Arrays.fill(spaces, ' ');
        return left ? cell + new String(spaces) : new String(spaces) + cell;
    }

    private static List<String> promises(List<QuickRow> rows) {
        Promises promises = new Promises();
        rows.forEach(row -> promises.add(row.name(), row.promise()));
        List<String> warning = new ArrayList<>(promises.warning());
        if (!warning.isEmpty()) {
            warning.add("");
        }
        return warning;
    }
}
