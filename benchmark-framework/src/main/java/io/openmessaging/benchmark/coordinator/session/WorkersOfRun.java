package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.judge.ClockFindings;
import io.openmessaging.benchmark.judge.Evidence.Equipment;
import io.openmessaging.benchmark.judge.Evidence.WorkerSeen;
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

/** Where the workers of a run are, what each of them does, and what may be told by their clocks. Belongs to the run's thread. */
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
     * They have told where they are.
     *
     * @param workWith what each of them works with, in their order
     */
    public void prepared(Worker.Prepared answer, List<Equipment> workWith) {
        prepared = answer;
        equipment = workWith;
    }

    /** Where they are, in their order; empty until they have told. */
    public List<WorkerMachine> machines() {
        return prepared.machines();
    }

    /**
     * What they are judged by, in their order; empty until they have told where they are.
     *
     * @param usage of each during the measurement; empty if there was none
     * @param startNs the begin of the time for which clocks are asked for, epoch nanoseconds
     * @param endNs its end, likewise
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

    /** How well times of the workers compare that were taken in a period; empty if no message goes from one to another. */
    public Optional<ClockBound> bound(PeriodSnapshot seen) {
        return machines().size() < 2
                ? Optional.empty()
                : ClockFindings.bound(seen(List.of(), seen.startNs(), seen.endNs()), seen);
    }

    /** What may be told of a period: where the clocks say too little, no latency of messages that went to another worker. */
    public PeriodSnapshot given(PeriodSnapshot seen) {
        return given(List.of(seen)).get(0);
    }

    /** The same of periods in a row, which are judged together. */
    public List<PeriodSnapshot> given(List<PeriodSnapshot> periods) {
        boolean all = PeriodSnapshot.together(periods)
                .flatMap(this::bound)
                .map(ClockBound::isEndToEndGiven)
                .orElse(true);
        return all
                ? periods
                : periods.stream().map(PeriodSnapshot::withinWorkers).toList();
    }
}
