package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.compare.Promises;
import io.openmessaging.benchmark.result.compare.RunMetrics;
import io.openmessaging.benchmark.result.compare.RunVariants;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All cells of a plan over their runs.
 *
 * @param plan the plan's name
 * @param timeScale factor of durations and counts
 * @param guaranteesDiffer whether the systems had different guarantees for acknowledged messages: their figures are
 *     then not comparable
 * @param guarantees each system's guarantee for an acknowledged message, in words, by its name; without systems whose
 *     runs report none
 * @param cells in the order of the plan, including those without a run
 */
public record Summary(
        String plan,
        double timeScale,
        boolean guaranteesDiffer,
        Map<String, String> guarantees,
        List<CellSummary> cells) {

    public Summary {
        guarantees = Collections.unmodifiableMap(new LinkedHashMap<>(guarantees));
        cells = List.copyOf(cells);
    }

    /**
     * Summarizes the results in a folder that its manifest lists.
     *
     * @throws PlanException if one cannot be read
     */
    public static Summary of(Path folder, Manifest manifest) throws PlanException {
        Map<Cell, List<Entry>> byCell = manifest.runs().stream()
                .collect(Collectors.groupingBy(Entry::cell, LinkedHashMap::new, Collectors.toList()));
        List<CellSummary> cells = new ArrayList<>();
        Promises promises = new Promises();
        for (Map.Entry<Cell, List<Entry>> each : byCell.entrySet()) {
            cells.add(summary(each.getKey(), each.getValue(), folder, promises));
        }
        return new Summary(manifest.plan(), manifest.timeScale(), promises.differ(), promises.inWords(), cells);
    }

    /**
     * Summarizes a cell. INVALID runs do not count if there are others, since their figures do not mean what they seem
     * to. They do count for a metric of what made them INVALID. Runs that are not repetitions of each other, because
     * the machine or a version changed before the plan was resumed, give no estimates.
     */
    private static CellSummary summary(Cell cell, List<Entry> runs, Path folder, Promises promises)
            throws PlanException {
        List<JsonNode> valid = new ArrayList<>();
        List<JsonNode> invalid = new ArrayList<>();
        for (Entry run : runs) {
            String file = run.file();
            if (run.status() == Status.DONE && file != null) {
                (run.verdict() == Verdict.INVALID ? invalid : valid).add(read(folder.resolve(file)));
            }
        }
        List<JsonNode> all = Stream.concat(valid.stream(), invalid.stream()).toList();
        all.forEach(run -> promises.add(cell.system(), run));
        List<String> variants = RunVariants.names(all).stream()
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        return new CellSummary(
                cell,
                all.size(),
                invalid.size(),
                (int) runs.stream()
                        .filter(run -> run.verdict() == Verdict.SLO_MISSED)
                        .count(),
                (int) runs.stream().filter(run -> run.status() == Status.FAILED).count(),
                variants,
                variants.isEmpty() ? estimates(valid.isEmpty() ? invalid : valid, all) : Map.of());
    }

    private static JsonNode read(Path file) throws PlanException {
        try {
            return JsonMapper.shared().readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new PlanException(file + ": cannot be read: " + ResultFiles.reason(e));
        } catch (JacksonException e) {
            throw new PlanException(file + ": is not a result");
        }
    }

    private static Map<String, Estimate> estimates(List<JsonNode> runs, List<JsonNode> withInvalid) {
        List<Map<String, Double>> ofRuns = runs.stream().map(RunMetrics::of).toList();
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
