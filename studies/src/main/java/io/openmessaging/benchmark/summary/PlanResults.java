package io.openmessaging.benchmark.summary;

import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results of a plan's runs that are over, each read once.
 *
 * @param manifest lists the runs
 * @param byRun content of the result files, by the number of the run; without runs that left no result
 */
public record PlanResults(Manifest manifest, Map<Integer, JsonNode> byRun) {

    /**
     * Reads the results in a folder that its manifest lists.
     *
     * @throws PlanException if one cannot be read
     */
    public static PlanResults read(Path folder, Manifest manifest) throws PlanException {
        Map<Integer, JsonNode> byRun = new HashMap<>();
        for (Entry run : manifest.runs()) {
            String file = run.file();
            if (file != null && (run.status() == Status.DONE || run.status() == Status.FAILED)) {
                byRun.put(run.number(), read(folder.resolve(file)));
            }
        }
        return new PlanResults(manifest, byRun);
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

    /** Returns the result of a run; an empty object if it left none. */
    JsonNode of(Entry run) {
        JsonNode result = byRun.get(run.number());
        return result == null ? JsonMapper.shared().createObjectNode() : result;
    }

    /** Returns the runs of each cell, in the order of the plan. */
    Map<Cell, List<Entry>> byCell() {
        return manifest.runs().stream()
                .collect(Collectors.groupingBy(Entry::cell, LinkedHashMap::new, Collectors.toList()));
    }
}
