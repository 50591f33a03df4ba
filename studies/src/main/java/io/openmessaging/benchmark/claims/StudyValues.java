package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.PublishedFile.Value;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import io.openmessaging.benchmark.summary.Summary;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that a study has published, as if they had been measured. A claim that its study's own values contradict
 * says nothing about ours, and neither does one that no values could contradict.
 */
final class StudyValues {

    private final Cells cells;
    private final ClaimNames names;
    private final Map<Cell, Map<String, Estimate>> byCell = new LinkedHashMap<>();

    private StudyValues(Cells cells) {
        this.cells = cells;
        this.names = new ClaimNames(cells);
        cells.all().forEach(cell -> byCell.put(cell, new LinkedHashMap<>()));
    }

    /**
     * Returns the published values. Values over several cases say nothing about one of them, and single runs nothing
     * about all: these are left out.
     *
     * @param instead values by reference, such as {@code publishRate(rate, kafka, *)}, that replace the published ones
     * @throws ParseException if one of these is not a reference to a cell of the plan
     */
    static Summary of(PublishedFile file, Cells cells, Map<String, Double> instead) throws ParseException {
        StudyValues values = new StudyValues(cells);
        for (Value value : file.keys().values()) {
            if (value.unmeasured() == null && value.run() == null) {
                values.put(value);
            }
        }
        for (Map.Entry<String, Double> each : instead.entrySet()) {
            values.put(each.getKey(), each.getValue());
        }
        List<CellSummary> summaries = new ArrayList<>();
        values.byCell.forEach((cell, metrics) -> summaries.add(
                new CellSummary(cell, metrics.isEmpty() ? 0 : Estimate.FEWEST_RUNS, 0, 0, 0, 0, List.of(), metrics)));
        return new Summary(file.keys().study(), 1, false, Map.of(), List.of(), summaries);
    }

    private void put(Value value) {
        List<String> cases = cells.cases(value.experiment());
        if (value.caseName() == null || cases.contains(value.caseName())) {
            String caseName = value.caseName() == null ? cases.get(0) : value.caseName();
            put(value.experiment(), value.system(), caseName, value.metric(), value.value());
            Double sd = value.sd();
            if (sd != null) {
                put(value.experiment(), value.system(), caseName, CellSummary.sd(value.metric()), sd);
            }
        }
    }

    private void put(String reference, double value) throws ParseException {
        Expression expression = names.parse(reference + " > 0");
        for (Reference found : expression.parts().get(0).references()) {
            for (String caseName : names.cases(found)) {
                put(
                        found.experiment().text(),
                        found.system().text(),
                        caseName,
                        found.metric().text(),
                        value);
            }
        }
    }

    private void put(String experiment, String system, String caseName, String metric, double value) {
        Estimate exact = new Estimate(
                Estimate.FEWEST_RUNS, value, null, null, null, value, value, value, value, value, List.of());
        byCell.forEach((cell, metrics) -> {
            if (cell.experiment().equals(experiment)
                    && cell.system().equals(system)
                    && cell.caseName().equals(caseName)) {
                metrics.put(metric, exact);
            }
        });
    }
}
