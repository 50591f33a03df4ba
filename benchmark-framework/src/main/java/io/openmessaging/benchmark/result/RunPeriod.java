package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import java.util.List;
import java.util.Optional;

/**
 * A period of a run: its measurements and the resources used.
 *
 * @param seen measurements of the worker
 * @param used resources used in the same time
 */
public record RunPeriod(PeriodSnapshot seen, ResourcePeriod used) {

    /** Joins this period and the one that follows it. */
    public RunPeriod followedBy(RunPeriod next) {
        return new RunPeriod(seen.followedBy(next.seen), used.followedBy(next.used));
    }

    /** Returns a copy without latencies of messages between workers. */
    public RunPeriod withinWorkers() {
        return new RunPeriod(seen.withinWorkers(), used);
    }

    /** Joins consecutive periods, without the figures of single workers; empty if there are none. */
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
