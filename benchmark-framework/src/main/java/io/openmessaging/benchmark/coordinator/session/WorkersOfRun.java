package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.judge.worker.ClockFindings;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.judge.worker.WorkerSeen.Equipment;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.run.WorkerClocks;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The workers of a run: their machines, their roles, and the reliability of their clocks. Used by the run's thread
 * only.
 */
public final class WorkersOfRun {

    private final Topology topology;
    private final WorkerClocks clocks;
    private Worker.Prepared prepared = new Worker.Prepared(List.of(), List.of());
    private List<Equipment> equipment = List.of();

    WorkersOfRun(Topology topology, WorkerClocks clocks) {
        this.topology = topology;
        this.clocks = clocks;
    }

    /**
     * Stores the workers' answer to the request to prepare.
     *
     * @param workWith equipment of each worker, in their order
     */
    public void prepared(Worker.Prepared answer, List<Equipment> workWith) {
        prepared = answer;
        equipment = workWith;
    }

    /** The machines of the workers, in their order; empty until they have answered. */
    public List<WorkerMachine> machines() {
        return prepared.machines();
    }

    /**
     * The evidence by which workers are judged, in their order; empty until they have answered.
     *
     * @param usage usage of each during the measurement; empty if there was none
     * @param startNs start of the time for which clock reports are requested, epoch nanoseconds
     * @param endNs end of that time, likewise
     */
    public List<WorkerSeen> seen(List<HarnessUsage> usage, long startNs, long endNs) {
        List<ClockReport> reports = machines().isEmpty() ? List.of() : clocks.reports(startNs, endNs);
        return IntStream.range(0, machines().size())
                .mapToObj(worker -> new WorkerSeen(
                        isThisProcess(reports)
                                ? SamplingMonitor.HARNESS
                                : machines().get(worker).name(),
                        producers(worker),
                        consumers(worker),
                        equipment.get(worker),
                        usage.isEmpty() ? null : usage.get(worker),
                        worker < reports.size() ? reports.get(worker) : null))
                .toList();
    }

    private boolean isThisProcess(List<ClockReport> reports) {
        return machines().size() == 1 && reports.isEmpty();
    }

    private int producers(int worker) {
        return placement(worker).producersHere(topology.producerCount());
    }

    private int consumers(int worker) {
        return placement(worker).consumersHere(topology.consumerCount());
    }

    private Placement placement(int worker) {
        return prepared.placements().get(worker);
    }

    /**
     * How well times taken by different workers in periods in a row compare; empty if no message goes from one worker
     * to another.
     */
    public Optional<ClockBound> bound(List<PeriodSnapshot> periods) {
        // Adding up periods takes time that one worker needs for its load.
        return machines().size() < 2
                ? Optional.empty()
                : PeriodSnapshot.together(periods)
                        .flatMap(seen -> ClockFindings.bound(seen(List.of(), seen.startNs(), seen.endNs()), seen));
    }

    /**
     * The figures of a period that may be reported: without latencies of messages between workers if the clocks are
     * too uncertain for them.
     */
    public PeriodSnapshot given(PeriodSnapshot seen) {
        return given(List.of(seen)).get(0);
    }

    /** The figures of periods in a row that may be reported; the clocks are judged for all of them together. */
    public List<PeriodSnapshot> given(List<PeriodSnapshot> periods) {
        return bound(periods).map(ClockBound::isEndToEndGiven).orElse(true)
                ? periods
                : periods.stream().map(PeriodSnapshot::withinWorkers).toList();
    }
}
