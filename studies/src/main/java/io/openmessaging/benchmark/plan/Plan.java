package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.config.RunOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A plan, read and checked, with all its runs.
 *
 * @param request options of the command line
 * @param name used in its results
 * @param order order of execution
 * @param seed determines a shuffled order; null if it is still to be drawn, or the order is not shuffled
 * @param runs in written order, including those that are not selected
 * @param digests for each file that makes up the plan, the digest of its content
 */
public record Plan(
        PlanRequest request,
        String name,
        RunOrder order,
        @Nullable Long seed,
        List<PlannedRun> runs,
        Map<String, String> digests) {

    /** Upper bound of drawn seeds: short enough to be copied by hand. */
    private static final long SEEDS = 1_000_000;

    public Plan {
        runs = List.copyOf(runs);
    }

    /** Returns the selected runs, in written order. */
    public List<PlannedRun> selected() {
        return runs.stream().filter(PlannedRun::selected).toList();
    }

    /** Returns the plan's seed, or draws one; null if the runs are not shuffled. */
    public @Nullable Long drawSeed() {
        if (order != RunOrder.SHUFFLED || seed != null) {
            return seed;
        }
        return ThreadLocalRandom.current().nextLong(SEEDS);
    }

    /**
     * Returns the selected runs in the order of execution. All runs of the plan are shuffled, selected or not, so that
     * a seed means the same order whatever is left out. The order is also the same on any JDK: both the generator and
     * the shuffling algorithm are specified.
     *
     * @param drawn from {@link #drawSeed}
     */
    public List<PlannedRun> selectedInOrder(@Nullable Long drawn) {
        if (order == RunOrder.SYSTEMS) {
            List<String> systems =
                    runs.stream().map(run -> run.cell().system()).distinct().toList();
            return selected().stream()
                    .sorted(Comparator.comparingInt(PlannedRun::repetition)
                            .thenComparing(run -> systems.indexOf(run.cell().system())))
                    .toList();
        }
        if (drawn == null) {
            return selected();
        }
        List<PlannedRun> shuffled = new ArrayList<>(runs);
        Collections.shuffle(shuffled, new Random(drawn));
        return shuffled.stream().filter(PlannedRun::selected).toList();
    }

    /** Returns all cells, selected or not. */
    public Cells cells() {
        return new Cells(runs.stream().map(PlannedRun::cell).toList());
    }

    /** Returns the path of the study's published claims, whether or not the file exists. */
    public Path published() {
        return request.file().toAbsolutePath().resolveSibling(Manifest.PUBLISHED);
    }
}
