package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.clock.ClockReport;
import java.util.List;

/** What is known of how far the clocks of a run's workers are from the coordinator's. Thread-safe. */
@FunctionalInterface
public interface WorkerClocks {

    /** Of a run of this process: there is one clock. */
    WorkerClocks NONE = (startNs, endNs) -> List.of();

    /**
     * What became known in a span of time.
     *
     * @param startNs the begin, epoch nanoseconds of the coordinator
     * @param endNs the end, likewise
     * @return an entry for each worker, in their order, lost ones too; empty for a run of this process
     */
    List<ClockReport> reports(long startNs, long endNs);
}
