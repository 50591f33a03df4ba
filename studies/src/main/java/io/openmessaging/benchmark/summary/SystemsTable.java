package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.compare.Promises;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The table with which every command ends that ran several systems: a block for each load, a row for each system, the
 * best system first, then a sentence for each block that answers which system is better. Not thread-safe.
 */
public final class SystemsTable {

    /** The figures that a run is for. */
    public enum Figures {
        /** Rate and latencies. */
        ALL(""),
        /** The highest rate that the system sustains. */
        HIGHEST_RATE("rate "),
        /** Latencies at half of that rate. */
        LATENCIES("latencies ");

        private final String label;

        Figures(String label) {
            this.label = label;
        }

        /** Returns the words before a verdict. */
        String label() {
            return label;
        }
    }

    private static final List<String> HEAD = List.of(
            "system", "msg/s", "publish p50", "p99", "end-to-end p50", "p99", "p99.9", "CPU/msg", "lost", "verdict");
    private static final int LAST = HEAD.size() - 1;
    private static final String NONE = "–";
    private static final double NS_PER_MS = 1e6;

    /** More loads than these are answered in one sentence; their blocks show the best system first. */
    private static final int MOST_ANSWERS = 4;

    private final Map<String, Map<String, SystemRow>> blocks = new LinkedHashMap<>();
    private final Promises promises = new Promises();

    /** Returns the table of a plan's results, with a block for each case of each experiment. */
    public static SystemsTable of(PlanResults plan) {
        SystemsTable table = new SystemsTable();
        plan.byCell().forEach((cell, runs) -> {
            String block = cell.caseName().isEmpty() ? cell.experiment() : cell.experiment() + "/" + cell.caseName();
            List<JsonNode> completed = new ArrayList<>();
            for (Manifest.Entry run : runs) {
                boolean done = run.status() == Manifest.Status.DONE;
                if (done || run.status() == Manifest.Status.FAILED) {
                    JsonNode result = plan.of(run);
                    Verdict verdict = run.verdict() == null ? Verdict.FAILED : run.verdict();
                    table.add(block, cell.system(), Figures.ALL, verdict, run.reason(), result);
                    if (done) {
                        completed.add(result);
                    }
                }
            }
            if (!completed.isEmpty()) {
                table.mark(block, cell.system(), Summary.variants(completed));
            }
        });
        return table;
    }

    /**
     * Adds a run.
     *
     * @param block the load; runs of a system with the same load are repetitions
     * @param problem what ended the run; null if nothing did
     * @param result content of the result file; an empty object if there is none
     */
    public void add(
            String block, String system, Figures figures, Verdict verdict, @Nullable String problem, JsonNode result) {
        promises.add(system, result);
        SystemRow row = blocks.computeIfAbsent(block, name -> new LinkedHashMap<>())
                .computeIfAbsent(system, name -> new SystemRow(system, new ArrayList<>(), List.of()));
        row.runs().add(SystemRow.Run.of(figures, verdict, problem, result));
    }

    private void mark(String block, String system, List<String> variants) {
        Objects.requireNonNull(blocks.get(block), block)
                .computeIfPresent(system, (name, row) -> new SystemRow(system, row.runs(), variants));
    }

    /** Returns whether there is something to compare: a load with several systems. */
    public boolean comparesSystems() {
        return blocks.values().stream().anyMatch(rows -> rows.size() > 1);
    }

    /**
     * Returns the lines: the first thing to do, a warning if the systems promise different things, the table, what its
     * figures are, and the answers.
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        addFullMachine(lines);
        lines.addAll(promises.warning());
        if (!lines.isEmpty()) {
            lines.add("");
        }
        addTable(lines);
        addLegend(lines);
        addAnswers(lines);
        return lines;
    }

    private void addAnswers(List<String> lines) {
        Map<String, Answer> answers = new LinkedHashMap<>();
        blocks.forEach((block, rows) -> {
            if (rows.size() > 1) {
                answers.put(
                        block,
                        new Answer(
                                sorted(rows.values()),
                                hasEqualRates(reliable(rows.values(), true)),
                                LatencyMetric.at(endToEnd(), 99)));
            }
        });
        if (answers.isEmpty()) {
            return;
        }
        List<String> told = new ArrayList<>();
        if (answers.size() > MOST_ANSWERS) {
            told.add(Answer.counts(answers.values()));
        } else {
            answers.forEach((block, answer) -> told.add((blocks.size() > 1 ? block + ": " : "") + answer.sentence()));
        }
        String unequal = promises.differ() ? "With different guarantees: " : "";
        told.set(0, unequal + told.get(0));
        String advice = answers.values().stream().anyMatch(Answer::isOfOneRun) ? Answer.REPEAT : "";
        told.set(told.size() - 1, told.get(told.size() - 1) + advice);
        lines.addAll(told);
    }

    private void addTable(List<String> lines) {
        List<List<String>> table = new ArrayList<>(List.of(HEAD));
        blocks.forEach((block, rows) -> {
            if (blocks.size() > 1) {
                table.add(List.of(block));
            }
            sorted(rows.values()).forEach(row -> table.add(cells(row)));
        });
        int[] widths = IntStream.range(0, HEAD.size())
                .map(column -> table.stream()
                        .filter(cells -> cells.size() > 1)
                        .mapToInt(cells -> cells.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        table.forEach(cells -> lines.add(cells.size() == 1 ? cells.get(0) + ":" : line(cells, widths)));
    }

    private static String line(List<String> cells, int[] widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> column == LAST
                        ? cells.get(column)
                        : String.format(
                                Locale.ROOT, "%" + (column == 0 ? "-" : "") + widths[column] + "s", cells.get(column)))
                .collect(Collectors.joining("  "));
    }

    private List<String> cells(SystemRow row) {
        Latency publish = isScheduled() ? Latency.SCHEDULED_PUBLISH : Latency.PUBLISH;
        Latency endToEnd = endToEnd();
        return List.of(
                row.system(),
                row.unconfirmed().isPresent()
                        ? "not confirmed"
                        : shown(row, Figures.HIGHEST_RATE, row.rate().map(rate -> Quantities.number(rate.median()))),
                time(row, LatencyMetric.at(publish, 50)),
                time(row, LatencyMetric.at(publish, 99)),
                time(row, LatencyMetric.at(endToEnd, 50)),
                time(row, LatencyMetric.at(endToEnd, 99)),
                time(row, LatencyMetric.at(endToEnd, 99.9)),
                time(row, "brokerCpuMsPerMessage"),
                row.lost().isPresent() ? Quantities.count(Math.round(row.lost().getAsDouble())) : NONE,
                row.verdicts());
    }

    private static String time(SystemRow row, String metric) {
        return shown(
                row,
                Figures.LATENCIES,
                row.figure(Figures.LATENCIES, metric).map(time -> Quantities.latency(time.median() * NS_PER_MS)));
    }

    /** Puts the cell in brackets if its figures may not mean what they seem to. */
    private static String shown(SystemRow row, Figures figures, Optional<String> cell) {
        return cell.map(text -> row.isDoubtful(figures) ? "(" + text + ")" : text)
                .orElse(NONE);
    }

    private void addLegend(List<String> lines) {
        boolean half = rows().flatMap(row -> row.runs().stream()).anyMatch(run -> run.figures() != Figures.ALL);
        boolean searched = rows().anyMatch(SystemRow::isSearched);
        boolean counted = rows().anyMatch(row ->
                row.figure(Figures.HIGHEST_RATE, RunMetrics.TOTAL_RATE).isPresent());
        boolean repeated =
                rows().anyMatch(row -> row.rate().filter(rate -> rate.n() > 1).isPresent());
        String from = "Latencies count from the " + (isScheduled() ? "intended" : "actual") + " send";
        lines.add("");
        lines.add((searched
                        ? "msg/s: the highest rate that the system sustained, confirmed in a measurement. "
                        : "msg/s: achieved" + (counted ? " (with messageCount: until the last arrival). " : ". "))
                + from
                + (half ? "; they and the broker's processor time are measured at half that rate" : "")
                + (half && repeated ? ", as the first run found it." : "."));
        String unmeasured = rows().flatMap(row -> row.whyUnmeasured(LatencyMetric.at(endToEnd(), 99)))
                .distinct()
                .collect(Collectors.joining("; "));
        if (!unmeasured.isEmpty()) {
            lines.add("–: " + unmeasured + ".");
        }
        boolean bad = rows().flatMap(row -> cells(row).stream()).anyMatch(cell -> cell.startsWith("("));
        if (repeated || bad) {
            String medians = !repeated
                    ? ""
                    : "Figures are medians of the runs that are OK or SLO_MISSED"
                            + (comparesSystems()
                                    ? "; bin/benchmark report tests which differences are certain. "
                                    : ". ");
            lines.add((medians + (bad ? "Figures in brackets are of runs that are not OK" + otherDoubts() + "." : ""))
                    .strip());
        }
        rows().forEach(row -> row.unconfirmed()
                .ifPresent(run -> lines.add(row.system() + ": not confirmed: the search found "
                        + Quantities.messageRate(
                                Objects.requireNonNull(run.found()).msgPerSec())
                        + ", but the measurement is " + run.verdict() + ".")));
    }

    /** Returns why figures of runs that are OK or SLO_MISSED are in brackets; empty if none are. */
    private String otherDoubts() {
        if (rows().noneMatch(row -> row.isVague() || row.hasSharedLatencies())) {
            return "";
        }
        return rows().anyMatch(SystemRow::isSearched)
                ? ", did not find the limit, or shared the machine"
                : ", or times on a shared machine";
    }

    private void addFullMachine(List<String> lines) {
        String full = rows().filter(SystemRow::isOnFullMachine)
                .map(SystemRow::system)
                .distinct()
                .collect(Collectors.joining(", "));
        if (full.isEmpty()) {
            return;
        }
        // What others took may be all that is missing.
        boolean shared = rows().flatMap(row -> row.runs().stream())
                .anyMatch(run -> run.onFullMachine() && run.onSharedMachine());
        String others = "Others used it, too: end their programs first (bin/benchmark explain MachineShared), then use";
        lines.add("First of all: the machine was full (" + full + "), so it may have been measured instead of the"
                + " system. " + (shared ? others : "Use")
                + " fewer nodes and clients, a lower rate, or more machines (bin/benchmark explain HostSaturated).");
    }

    private Stream<SystemRow> rows() {
        return blocks.values().stream().flatMap(rows -> rows.values().stream());
    }

    private Latency endToEnd() {
        return isScheduled() ? Latency.SCHEDULED_END_TO_END : Latency.END_TO_END;
    }

    /** Returns whether all runs have latencies from the intended send. */
    private boolean isScheduled() {
        return rows().flatMap(row -> row.runs().stream())
                .map(SystemRow.Run::metrics)
                .noneMatch(metrics -> metrics.containsKey(LatencyMetric.at(Latency.PUBLISH, 99))
                        && !metrics.containsKey(LatencyMetric.at(Latency.SCHEDULED_PUBLISH, 99)));
    }

    /** Returns the best system first; those without reliable figures last, among them the best first. */
    private List<SystemRow> sorted(Collection<SystemRow> rows) {
        return Stream.of(true, false)
                .flatMap(reliable -> {
                    List<SystemRow> those = reliable(rows, reliable);
                    return those.stream().sorted(best(those));
                })
                .toList();
    }

    /** Returns the order by latency at equal rates, else by rate. */
    private Comparator<SystemRow> best(List<SystemRow> rows) {
        String p99 = LatencyMetric.at(endToEnd(), 99);
        return hasEqualRates(rows)
                ? Comparator.comparingDouble(row ->
                        row.figure(Figures.LATENCIES, p99).map(Estimate::median).orElse(Double.POSITIVE_INFINITY))
                : Comparator.comparingDouble(row -> -row.rankingMsgPerSec());
    }

    private static List<SystemRow> reliable(Collection<SystemRow> rows, boolean reliable) {
        return rows.stream()
                .filter(row -> row.isReliable(Figures.HIGHEST_RATE) == reliable)
                .toList();
    }

    /** Returns whether the systems had the same rate, so that their latencies may be compared. */
    private static boolean hasEqualRates(List<SystemRow> rows) {
        List<Double> rates = rows.stream()
                .flatMap(row -> row.rate().stream())
                .map(Estimate::median)
                .sorted()
                .toList();
        return rows.stream().noneMatch(SystemRow::isSearched)
                && !rates.isEmpty()
                && rates.get(0) >= Judge.REACHED * rates.get(rates.size() - 1);
    }
}
