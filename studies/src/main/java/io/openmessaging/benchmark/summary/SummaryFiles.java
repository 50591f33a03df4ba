package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.JsonText;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes a summary as JSON, and as a table with a row for each cell and metric. */
public final class SummaryFiles {

    static final String JSON = "summary.json";
    static final String CSV = "summary.csv";

    private static final int SCHEMA_VERSION = 1;

    private static final String COLUMNS =
            "experiment,system,case,metric,unit,runs,invalid,sloMissed,failed,n,mean,sd,ci95Low,ci95High,"
                    + "median,min,max,invalidIncluded,sdCi95Low,sdCi95High,unreliableRates\n";

    private SummaryFiles() {}

    /**
     * Writes both files, or replaces them.
     *
     * @throws PlanException with a sentence for the user
     */
    public static void write(Path folder, Summary summary) throws PlanException {
        try {
            ResultFiles.replace(folder.resolve(JSON), json(summary));
            ResultFiles.replace(folder.resolve(CSV), csv(summary));
        } catch (IOException e) {
            throw new PlanException(folder + ": the summary could not be written: " + ResultFiles.reason(e));
        }
    }

    static String json(Summary summary) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("schemaVersion", SCHEMA_VERSION);
        return JsonText.of(root.setAll(JsonText.tree(summary)));
    }

    static String csv(Summary summary) {
        StringBuilder text = new StringBuilder(COLUMNS);
        for (CellSummary cell : summary.cells()) {
            for (Map.Entry<String, Estimate> metric : cell.metrics().entrySet()) {
                text.append(row(cell, metric.getKey(), metric.getValue())).append('\n');
            }
        }
        return text.toString();
    }

    private static String row(CellSummary summary, String metric, Estimate estimate) {
        Cell cell = summary.cell();
        String unit = CellSummary.unit(metric).orElse("");
        return quoted(cell.experiment()) + "," + quoted(cell.system()) + "," + quoted(cell.caseName()) + "," + metric
                + "," + quoted(unit) + "," + summary.runs() + "," + summary.invalid() + "," + summary.sloMissed() + ","
                + summary.failed() + "," + estimate.n() + "," + number(estimate.mean()) + "," + number(estimate.sd())
                + "," + number(estimate.ci95Low()) + "," + number(estimate.ci95High()) + "," + number(estimate.median())
                + "," + number(estimate.min()) + "," + number(estimate.max()) + "," + summary.invalidIncluded()
                + "," + number(estimate.sdCi95Low()) + "," + number(estimate.sdCi95High()) + ","
                + summary.unreliable(metric);
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : BigDecimal.valueOf(value).toPlainString();
    }

    private static String quoted(String text) {
        return text.matches("[^\",\\r\\n\\s]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
