package io.openmessaging.benchmark.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A plan, read and checked, with all its runs.
 *
 * @param request how it was asked for
 * @param name what its results are called
 * @param description a sentence or two, or empty
 * @param runs in the order in which they are run, those that are not wanted included
 * @param digests for each file that the plan is made of, the digest of its content
 */
public record Plan(
        PlanRequest request, String name, String description, List<PlannedRun> runs, Map<String, String> digests) {

    public Plan {
        runs = List.copyOf(runs);
    }

    /** The runs that are wanted, in order. */
    public List<PlannedRun> selected() {
        return runs.stream().filter(PlannedRun::selected).toList();
    }

    /** All cells, wanted or not. */
    public Cells cells() {
        return new Cells(runs.stream().map(PlannedRun::cell).toList());
    }

    /** Where what a study has published is looked for. */
    public Path published() {
        return request.file().toAbsolutePath().resolveSibling(Manifest.PUBLISHED);
    }
}
