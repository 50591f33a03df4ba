package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Creates the results folder of a plan from figures that a test chooses. */
public final class ResultsFolder {

    private final Path folder;
    private final List<Entry> entries = new ArrayList<>();
    private double timeScale = 1;

    public ResultsFolder(Path folder) {
        this.folder = folder;
    }

    public ResultsFolder shortened(double factor) {
        timeScale = factor;
        return this;
    }

    /** Adds a run with this publish rate, msg/s. */
    public ResultsFolder run(String experiment, String system, String caseName, String verdict, double publishRate)
            throws IOException {
        return run(experiment, system, caseName, verdict, Map.of("rates", Map.of("publish", publishRate)));
    }

    /** Adds a run with these fields in its result. */
    public ResultsFolder run(
            String experiment, String system, String caseName, String verdict, Map<String, Object> fields)
            throws IOException {
        String file = "runs/" + (entries.size() + 1) + ".json";
        Files.createDirectories(folder.resolve("runs"));
        Files.write(folder.resolve(file), JsonMapper.shared().writeValueAsBytes(fields));
        return add(experiment, system, caseName, Status.DONE, file, Verdict.valueOf(verdict));
    }

    public ResultsFolder failed(String experiment, String system, String caseName) {
        return add(experiment, system, caseName, Status.FAILED, null, null);
    }

    /** Adds a run that an error ended in this phase. */
    public ResultsFolder failedIn(String phase, String experiment, String system, String caseName) throws IOException {
        run(experiment, system, caseName, "FAILED", Map.of("phases", List.of(Map.of("name", phase))));
        Entry done = entries.remove(entries.size() - 1);
        return add(experiment, system, caseName, Status.FAILED, done.file(), Verdict.FAILED);
    }

    public ResultsFolder skipped(String experiment, String system, String caseName) {
        return add(experiment, system, caseName, Status.SKIPPED, null, null);
    }

    private ResultsFolder add(
            String experiment,
            String system,
            String caseName,
            Status status,
            @Nullable String file,
            @Nullable Verdict verdict) {
        Cell cell = new Cell(experiment, system, caseName, Map.of("messageSize", 1000));
        int repetition = 1
                + (int) entries.stream()
                        .filter(entry -> entry.cell().equals(cell))
                        .count();
        entries.add(new Entry(entries.size() + 1, cell, repetition, status, null, file, verdict, 0));
        return this;
    }

    public void write() throws IOException {
        Manifest manifest = new Manifest(
                "study",
                folder.resolve("plan.yaml").toString(),
                "2026-11-21T10:00:00Z",
                timeScale,
                List.of(),
                null,
                null,
                null,
                Map.of(),
                entries);
        Files.writeString(folder.resolve(Manifest.NAME), manifest.render(Environment.here("test", "test")));
    }
}
