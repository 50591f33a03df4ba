package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.metric.Weakness;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.compare.Promises;
import io.openmessaging.benchmark.result.compare.RunVariants;
import io.openmessaging.benchmark.result.file.FoundRate;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * All cells of a plan over their runs.
 *
 * @param plan the plan's name
 * @param timeScale factor of durations and counts
 * @param guaranteesDiffer whether the systems had different guarantees for acknowledged messages: their figures are
 *     then not comparable
 * @param guarantees each system's guarantee for an acknowledged message, in words, by its name; without systems whose
 *     runs report none
 * @param noted differences between runs that do not make variants, such as {@code host: lab, cloud}; and what the
 *     command changed of the plan
 * @param cells in the order of the plan, including those without a run
 */
public record Summary(
        String plan,
        double timeScale,
        boolean guaranteesDiffer,
        Map<String, String> guarantees,
        List<String> noted,
        List<CellSummary> cells) {

    /** Severities of findings that show a weakness; a note says that it is too small to matter. */
    private static final Set<String> SHOWN = Set.of(Severity.INVALIDATES.name(), Severity.EXPECTED.name());

    private static final double ALL_PERCENT = 100;

    public Summary {
        guarantees = Collections.unmodifiableMap(new LinkedHashMap<>(guarantees));
        noted = List.copyOf(noted);
        cells = List.copyOf(cells);
    }

    /** Summarizes the results of a plan. */
    public static Summary of(PlanResults plan) {
        List<CellSummary> cells = new ArrayList<>();
        Promises promises = new Promises();
        List<JsonNode> results = new ArrayList<>();
        plan.byCell().forEach((cell, runs) -> cells.add(summary(cell, runs, plan, promises, results)));
        Manifest manifest = plan.manifest();
        List<String> noted = new ArrayList<>(RunVariants.noted(results));
        if (manifest.cooldown() != null) {
            noted.add("cool-downs: " + manifest.cooldown() + " instead of the plan's");
        }
        return new Summary(manifest.plan(), manifest.timeScale(), promises.differ(), promises.inWords(), noted, cells);
    }

    /**
     * Summarizes a cell. INVALID runs do not count if there are others, since their figures do not mean what they seem
     * to. They do count for a metric of what made them INVALID. Of other runs, rates do not count that are no figures to
     * rely on. Runs that are not repetitions of each other, because the machine or a version changed before the plan was
     * resumed, give no estimates.
     */
    private static CellSummary summary(
            Cell cell, List<Entry> runs, PlanResults plan, Promises promises, List<JsonNode> results) {
        List<JsonNode> valid = new ArrayList<>();
        List<JsonNode> invalid = new ArrayList<>();
        for (Entry run : runs) {
            if (run.status() == Status.DONE && run.file() != null) {
                (run.verdict() == Verdict.INVALID ? invalid : valid).add(plan.of(run));
            }
        }
        List<JsonNode> all = Stream.concat(valid.stream(), invalid.stream()).toList();
        all.forEach(run -> promises.add(cell.system(), run));
        results.addAll(all);
        List<String> variants = variants(all);
        Map<String, Estimate> metrics = new LinkedHashMap<>();
        if (variants.isEmpty()) {
            metrics.putAll(
                    valid.isEmpty()
                            ? estimates(invalid.stream().map(RunMetrics::of).toList(), all)
                            : estimates(valid.stream().map(RunMetrics::reliedOn).toList(), all));
            metrics.putAll(weaknesses(runs, all, plan));
        }
        return new CellSummary(
                cell,
                all.size(),
                invalid.size(),
                (int) runs.stream()
                        .filter(run -> run.verdict() == Verdict.SLO_MISSED)
                        .count(),
                (int) runs.stream().filter(run -> run.status() == Status.FAILED).count(),
                (int) valid.stream().filter(FoundRate::isVagueIn).count(),
                variants,
                metrics);
    }

    /** Returns the percentage of the runs that showed a weakness, by its name. */
    private static Map<String, Estimate> weaknesses(List<Entry> runs, List<JsonNode> completed, PlanResults plan) {
        int failed = (int) runs.stream()
                .filter(run -> run.hasFailedUnderLoad(plan.of(run)))
                .count();
        Map<String, Estimate> shares = new LinkedHashMap<>();
        for (Weakness weakness : Weakness.values()) {
            DoubleStream.Builder shown = DoubleStream.builder();
            completed.forEach(run -> shown.add(isShown(weakness, run) ? ALL_PERCENT : 0));
            // Of a run that failed under load, nothing else is known.
            for (int i = 0; i < failed && weakness == Weakness.FAILURE; i++) {
                shown.add(ALL_PERCENT);
            }
            double[] percents = shown.build().toArray();
            if (percents.length > 0) {
                shares.put(weakness.toString(), Estimate.ofShares(percents));
            }
        }
        return shares;
    }

    private static boolean isShown(Weakness weakness, JsonNode run) {
        return run.path("findings")
                .valueStream()
                .anyMatch(finding -> weakness.isShownBy(finding.path("kind").asString(""))
                        && SHOWN.contains(finding.path("severity").asString("")));
    }

    /** Returns how runs of a cell differ if they are not repetitions of each other; empty if they are. */
    static List<String> variants(List<JsonNode> results) {
        return RunVariants.names(results).stream()
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private static Map<String, Estimate> estimates(List<Map<String, Double>> ofRuns, List<JsonNode> withInvalid) {
        List<Map<String, Double>> ofAll =
                withInvalid.stream().map(RunMetrics::of).toList();
        Map<String, Estimate> metrics = new LinkedHashMap<>();
        for (String metric : RunMetrics.names()) {
            double[] values = (RunMetrics.isOfAllRuns(metric) ? ofAll : ofRuns)
                    .stream()
                            .filter(run -> run.containsKey(metric))
                            .mapToDouble(run -> run.get(metric))
                            .toArray();
            if (values.length > 0) {
                metrics.put(metric, Estimate.of(values));
            }
        }
        return metrics;
    }

    /** Returns the names of all cells. */
    public Cells names() {
        return new Cells(cells.stream().map(CellSummary::cell).toList());
    }

    /** Returns the cell with these names. */
    public Optional<CellSummary> find(String experiment, String system, String caseName) {
        return cells.stream()
                .filter(summary -> summary.cell().experiment().equals(experiment)
                        && summary.cell().system().equals(system)
                        && summary.cell().caseName().equals(caseName))
                .findFirst();
    }
}
