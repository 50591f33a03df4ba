package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.config.RunOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A plan, read and checked, with all its runs.
 *
 * @param request how it was asked for
 * @param name what its results are called
 * @param order in which the runs are run
 * @param seed what decides a shuffled order; null if it is to be drawn, or decides nothing
 * @param runs in the order in which they are written, those that are not wanted included
 * @param digests for each file that the plan is made of, the digest of its content
 */
public record Plan(
        PlanRequest request,
        String name,
        RunOrder order,
        @Nullable Long seed,
        List<PlannedRun> runs,
        Map<String, String> digests) {

    /** Seeds that are drawn are below this: short enough to be copied by hand. */
    private static final long SEEDS = 1_000_000;

    public Plan {
        runs = List.copyOf(runs);
    }

    /** The runs that are wanted, in the order in which they are written. */
    public List<PlannedRun> selected() {
        return runs.stream().filter(PlannedRun::selected).toList();
    }

    /** The plan's seed, or one that is drawn now; null if the runs are run as they are written. */
    public @Nullable Long drawSeed() {
        if (order == RunOrder.WRITTEN || seed != null) {
            return seed;
        }
        return ThreadLocalRandom.current().nextLong(SEEDS);
    }

    /**
     * The runs that are wanted, in the order in which they are run. All runs of the plan are shuffled, wanted or not, so
     * that a seed means the same order whatever is left out. It also does on any JDK: both the generator and what is done
     * with it are specified.
     *
     * @param drawn from {@link #drawSeed}
     */
    public List<PlannedRun> selectedInOrder(@Nullable Long drawn) {
        if (drawn == null) {
            return selected();
        }
        List<PlannedRun> shuffled = new ArrayList<>(runs);
        Collections.shuffle(shuffled, new Random(drawn));
        return shuffled.stream().filter(PlannedRun::selected).toList();
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
