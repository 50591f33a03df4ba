package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.compare.RunMetrics;
import io.openmessaging.benchmark.result.compare.RunVariants;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All cells of a plan over their runs.
 *
 * @param plan the plan's name
 * @param timeScale what durations and counts were multiplied with
 * @param cells in the order of the plan, those without a run included
 */
public record Summary(String plan, double timeScale, List<CellSummary> cells) {

    public Summary {
        cells = List.copyOf(cells);
    }

    /** The verdicts and values of a cell's runs. */
    private static final class Runs {
        private final List<JsonNode> valid = new ArrayList<>();
        private final List<JsonNode> invalid = new ArrayList<>();
        private int sloMissed;
        private int failed;

        List<JsonNode> all() {
            return Stream.concat(valid.stream(), invalid.stream()).toList();
        }
    }

    /**
     * Sums up a folder: the results that its manifest has.
     *
     * @throws PlanException if one cannot be read
     */
    public static Summary of(Path folder, Manifest manifest) throws PlanException {
        Map<Cell, Runs> runs = new LinkedHashMap<>();
        for (Cell cell : manifest.cells().all()) {
            runs.put(cell, new Runs());
        }
        for (Entry entry : manifest.runs()) {
            Runs ofCell = runs.computeIfAbsent(entry.cell(), cell -> new Runs());
            String file = entry.file();
            if (entry.status() == Status.FAILED) {
                ofCell.failed++;
            } else if (entry.status() == Status.DONE && file != null) {
                ofCell.sloMissed += entry.verdict() == Verdict.SLO_MISSED ? 1 : 0;
                (entry.verdict() == Verdict.INVALID ? ofCell.invalid : ofCell.valid).add(read(folder.resolve(file)));
            }
        }
        List<CellSummary> cells = new ArrayList<>();
        runs.forEach((cell, ofCell) -> cells.add(summary(cell, ofCell)));
        return new Summary(manifest.plan(), manifest.timeScale(), cells);
    }

    private static JsonNode read(Path file) throws PlanException {
        try {
            return JsonMapper.shared().readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new PlanException(file + ": cannot be read: " + ResultFiles.reason(e));
        } catch (JacksonException e) {
            throw new PlanException(file + ": is no result");
        }
    }

    /**
     * INVALID runs do not count where there are others: their figures do not mean what they seem to. Runs that are no
     * repetitions of each other, as the machine or a version has changed before the plan was gone on with, have no mean.
     */
    private static CellSummary summary(Cell cell, Runs runs) {
        List<String> variants = RunVariants.names(runs.all()).stream()
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        return new CellSummary(
                cell,
                runs.valid.size() + runs.invalid.size(),
                runs.invalid.size(),
                runs.sloMissed,
                runs.failed,
                variants,
                variants.isEmpty() ? estimates(runs.valid.isEmpty() ? runs.invalid : runs.valid) : Map.of());
    }

    private static Map<String, Estimate> estimates(List<JsonNode> runs) {
        List<Map<String, Double>> counted = runs.stream().map(RunMetrics::of).toList();
        Map<String, Estimate> metrics = new LinkedHashMap<>();
        for (String metric : RunMetrics.names()) {
            double[] values = counted.stream()
                    .filter(run -> run.containsKey(metric))
                    .mapToDouble(run -> run.get(metric))
                    .toArray();
            if (values.length > 0) {
                metrics.put(metric, Estimate.of(values));
            }
        }
        return metrics;
    }

    /** The names of all cells. */
    public Cells names() {
        return new Cells(cells.stream().map(CellSummary::cell).toList());
    }

    /** The cell of these names. */
    public Optional<CellSummary> find(String experiment, String system, String caseName) {
        return cells.stream()
                .filter(summary -> summary.cell().experiment().equals(experiment)
                        && summary.cell().system().equals(system)
                        && summary.cell().caseName().equals(caseName))
                .findFirst();
    }
}
