package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.judge.BacklogTrend;
import io.openmessaging.benchmark.judge.ExpectedLoad;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports the state of a run to its listener, whenever it changes. Used by the run's thread only. */
public final class StatePublisher {

    private final RunListener listener;
    private final Workload workload;
    private final WorkersOfRun workers;
    private final ResourceLimits limits;
    private @Nullable RunPhase phase;
    private Optional<Duration> left = Optional.empty();
    private double targetMsgPerSec;
    private @Nullable Totals totals;
    private @Nullable RunPeriod lastPeriod;
    private Map<String, Long> errors = Map.of();
    private @Nullable List<Finding> findings;

    /** Rate of the measurement; the load has already ended when its last periods are judged. */
    private double measuredMsgPerSec;

    private @Nullable RunPeriod measured;

    /** Usage of each worker, by the latest status. */
    private List<HarnessUsage> usage = List.of();

    /** Usage of each worker when the measurement began; empty if no status was read before. */
    private List<HarnessUsage> usageBefore = List.of();

    private List<BacklogTrend> backlogs = List.of();
    private LoadOutcome.@Nullable Refused refusedInSearch;
    private Supplier<List<FaultState>> faults = List::of;
    private List<FaultState> toldFaults = List.of();

    StatePublisher(RunListener listener, Workload workload, WorkersOfRun workers, ResourceLimits limits) {
        this.listener = listener;
        this.workload = workload;
        this.workers = workers;
        this.limits = limits;
        // The rate by which a sweep is judged is known only at its end.
        this.findings = workload.rateSweep() == null ? List.of() : null;
    }

    /** Sets the source of the ordered faults; it is read before each state is published. */
    void watchFaults(Supplier<List<FaultState>> source) {
        faults = source;
    }

    /** Publishes the start of a phase. */
    void phase(RunPhase begun) {
        phase = begun;
        left = Optional.empty();
        if (begun == RunPhase.MEASURE) {
            usageBefore = usage;
        }
        publish();
    }

    /** Publishes the rate that is to be sent from now on; infinite for as much as the client takes, 0 for nothing. */
    void target(double newMsgPerSec) {
        if (newMsgPerSec == targetMsgPerSec) {
            return;
        }
        targetMsgPerSec = newMsgPerSec;
        if (newMsgPerSec > 0) {
            measuredMsgPerSec = newMsgPerSec;
        }
        publish();
    }

    /** Sets the source of the measurement's backlogs; it is read when a period of the measurement has ended. */
    public void watchBacklogs(List<BacklogTrend> measuredBacklogs) {
        backlogs = workload.buildsBacklog() ? List.of() : measuredBacklogs;
    }

    /** Ends a search, and discards the figures of any measurement until now. */
    public void searched(LoadOutcome.Refused refused) {
        refusedInSearch = refused;
        measured = null;
        findings = List.of();
    }

    /** Stores a status of the worker; it is published with the next state. */
    void counted(Worker.Status status) {
        totals = status.totals();
        errors = status.errors();
        usage = status.usage();
    }

    /** Publishes the remaining time of the phase; called about every second. */
    public void time(Optional<Duration> leftOfPhase) {
        left = leftOfPhase;
        publish();
    }

    /** Publishes a period that has ended. */
    void period(RunPeriod period, Optional<Duration> leftOfPhase) {
        left = leftOfPhase;
        totals = period.seen().totals();
        lastPeriod = new RunPeriod(workers.given(period.seen()), period.used());
        if (phase == RunPhase.MEASURE && findings != null) {
            measured = measured == null
                    ? new RunPeriod(period.seen().ofAll(), period.used())
                    : measured.followedBy(period);
            findings = findings(measured);
        }
        publish();
    }

    private List<Finding> findings(RunPeriod all) {
        PeriodSnapshot seen = workers.given(all.seen());
        if (seen.endNs() <= seen.startNs()) {
            return List.of();
        }
        List<Finding> found = new ArrayList<>();
        if (!workload.consumesOnly()) {
            found.addAll(Judge.soFar(
                    seen,
                    ExpectedLoad.even(targetMsgPerSec(), workload.arrivals().isRandom()),
                    backlogs,
                    workload.sloBounds(),
                    refusedInSearch,
                    errors,
                    !workload.faultsInOrder().isEmpty()));
        }
        List<HarnessUsage> used = usageBefore.isEmpty() ? List.of() : HarnessUsage.since(usageBefore, usage);
        found.addAll(Judge.machinesSoFar(all.used(), workers.seen(used, seen.startNs(), seen.endNs()), limits));
        return Finding.inOrder(Finding.expecting(workload.expect(), found));
    }

    private OptionalDouble targetMsgPerSec() {
        // A measurement that ends with its last message has no rate to compare with while it waits for that message.
        boolean comparable = workload.messageCount() == null && measuredMsgPerSec < Double.POSITIVE_INFINITY;
        return comparable ? OptionalDouble.of(measuredMsgPerSec) : OptionalDouble.empty();
    }

    private void publish() {
        List<FaultState> knownFaults = faults.get();
        if (!knownFaults.equals(toldFaults)) {
            toldFaults = knownFaults;
            listener.faults(knownFaults);
        }
        listener.state(new RunState(phase, left, targetMsgPerSec, totals, lastPeriod, errors, findings));
    }
}
