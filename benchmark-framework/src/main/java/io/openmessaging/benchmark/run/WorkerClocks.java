package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.clock.ClockReport;
import java.util.List;

/** Reports how far the clocks of a run's workers are from the coordinator's. Thread-safe. */
@FunctionalInterface
public interface WorkerClocks {

    /** For a run in this process, which has only one clock. */
    WorkerClocks NONE = (startNs, endNs) -> List.of();

    /**
     * Returns what became known about the clocks in a span of time.
     *
     * @param startNs start of the span, epoch nanoseconds of the coordinator
     * @param endNs end of the span, likewise
     * @return an entry for each worker, in their order, including lost ones; empty for a run in this process
     */
    List<ClockReport> reports(long startNs, long endNs);
}
