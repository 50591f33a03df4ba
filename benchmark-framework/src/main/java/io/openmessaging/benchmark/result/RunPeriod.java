package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import java.util.List;
import java.util.Optional;

/**
 * A period of a run: what was seen in it, and what that cost.
 *
 * @param seen by the worker
 * @param used in the same time
 */
public record RunPeriod(PeriodSnapshot seen, ResourcePeriod used) {

    /** This period and the one that follows it, as one. */
    public RunPeriod followedBy(RunPeriod next) {
        return new RunPeriod(seen.followedBy(next.seen), used.followedBy(next.used));
    }

    /** The same without latencies of messages that went from one worker to another. */
    public RunPeriod withinWorkers() {
        return new RunPeriod(seen.withinWorkers(), used);
    }

    /** Periods in a row as one, of which it is not kept what each worker saw; empty without any. */
    public static Optional<RunPeriod> together(List<RunPeriod> periods) {
        return PeriodSnapshot.together(periods.stream().map(RunPeriod::seen).toList())
                .map(seen -> new RunPeriod(
                        seen,
                        periods.stream()
                                .map(RunPeriod::used)
                                .reduce(ResourcePeriod::followedBy)
                                .orElseThrow()));
    }
}
