package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.compare.RunMetrics;
import io.openmessaging.benchmark.result.file.JsonText;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes a summary as JSON, and as a table with a row for each cell and metric. */
public final class SummaryFiles {

    static final String JSON = "summary.json";
    static final String CSV = "summary.csv";

    private static final int SCHEMA_VERSION = 1;

    private static final String COLUMNS =
            "experiment,system,case,metric,unit,runs,invalid,sloMissed,failed,n,mean,sd,ci95Low,ci95High\n";

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
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("schemaVersion", SCHEMA_VERSION);
        root.put("plan", summary.plan());
        root.set("timeScale", JsonText.decimal(summary.timeScale()));
        ArrayNode cells = root.putArray("cells");
        for (CellSummary cell : summary.cells()) {
            ObjectNode node = cells.addObject();
            node.put("experiment", cell.cell().experiment());
            node.put("system", cell.cell().system());
            node.put("case", cell.cell().caseName());
            node.set("parameters", JsonMapper.shared().valueToTree(cell.cell().parameters()));
            node.put("runs", cell.runs());
            node.put("invalid", cell.invalid());
            node.put("sloMissed", cell.sloMissed());
            node.put("failed", cell.failed());
            node.put("invalidIncluded", cell.invalidIncluded());
            cell.variants().forEach(node.putArray("variants")::add);
            ObjectNode metrics = node.putObject("metrics");
            cell.metrics().forEach((metric, estimate) -> add(metrics.putObject(metric), estimate));
        }
        return JsonText.of(root);
    }

    private static void add(ObjectNode node, Estimate estimate) {
        node.put("n", estimate.n());
        node.set("mean", JsonText.decimal(estimate.mean()));
        node.set("sd", JsonText.decimalOrNull(estimate.sd()));
        node.set("ci95Low", JsonText.decimalOrNull(estimate.ci95Low()));
        node.set("ci95High", JsonText.decimalOrNull(estimate.ci95High()));
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
        String unit = RunMetrics.unit(metric).orElse("");
        return quoted(cell.experiment()) + "," + quoted(cell.system()) + "," + quoted(cell.caseName()) + "," + metric
                + "," + quoted(unit) + "," + summary.runs() + "," + summary.invalid() + "," + summary.sloMissed() + ","
                + summary.failed() + "," + estimate.n() + "," + number(estimate.mean()) + "," + number(estimate.sd())
                + "," + number(estimate.ci95Low()) + "," + number(estimate.ci95High());
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : BigDecimal.valueOf(value).toPlainString();
    }

    private static String quoted(String text) {
        return text.matches("[^\",\\r\\n\\s]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
