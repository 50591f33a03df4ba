package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.judge.BacklogTrend;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells a run's listener what is known of the run, whenever that changes. Belongs to the run's thread. */
public final class StatePublisher {

    private final RunListener listener;
    private final Workload workload;
    private final WorkersOfRun workers;
    private @Nullable RunPhase phase;
    private Optional<Duration> left = Optional.empty();
    private double targetMsgPerSec;
    private @Nullable Totals totals;
    private @Nullable RunPeriod lastPeriod;
    private Map<String, Long> errors = Map.of();
    private @Nullable List<Finding> findings;

    /** The load of the measurement, which has ended when its last periods are judged. */
    private double measuredMsgPerSec;

    private @Nullable PeriodSnapshot measured;
    private List<BacklogTrend> backlogs = List.of();
    private LoadOutcome.@Nullable Refused refusedInSearch;
    private Supplier<List<FaultState>> faults = List::of;
    private List<FaultState> toldFaults = List.of();

    StatePublisher(RunListener listener, Workload workload, WorkersOfRun workers) {
        this.listener = listener;
        this.workload = workload;
        this.workers = workers;
        // Which of its rates a sweep is judged by is known at the end.
        this.findings = workload.rateSweep() == null ? List.of() : null;
    }

    /** Where it is known which faults have been ordered: asked before each state is told. */
    void watchFaults(Supplier<List<FaultState>> source) {
        faults = source;
    }

    /** A phase begins. */
    void phase(RunPhase begun) {
        phase = begun;
        left = Optional.empty();
        publish();
    }

    /** So much is to be sent from now on; infinite for as much as the client takes, 0 for nothing. */
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

    /** Where the backlogs of the measurement are known: asked when a period of it has ended. */
    public void watchBacklogs(List<BacklogTrend> measuredBacklogs) {
        backlogs = workload.buildsBacklog() ? List.of() : measuredBacklogs;
    }

    /** A search has ended: with what was measured until now, if something was. */
    public void searched(LoadOutcome.Refused refused) {
        refusedInSearch = refused;
        measured = null;
        findings = List.of();
    }

    /** The worker was asked; told with whatever is told next. */
    void counted(Worker.Status status) {
        totals = status.totals();
        errors = status.errors();
    }

    /** Time has passed: a second or so. */
    public void time(Optional<Duration> leftOfPhase) {
        left = leftOfPhase;
        publish();
    }

    /** A period has ended. */
    void period(RunPeriod period, Optional<Duration> leftOfPhase) {
        left = leftOfPhase;
        totals = period.seen().totals();
        lastPeriod = new RunPeriod(workers.given(period.seen()), period.used());
        if (phase == RunPhase.MEASURE && findings != null) {
            measured = measured == null ? period.seen().ofAll() : measured.followedBy(period.seen());
            findings = findings(workers.given(measured));
        }
        publish();
    }

    private List<Finding> findings(PeriodSnapshot seen) {
        // A measurement that ends with its last message has no rate to compare with while it waits for that.
        boolean comparable = workload.messageCount() == null && measuredMsgPerSec < Double.POSITIVE_INFINITY;
        OptionalDouble target = comparable ? OptionalDouble.of(measuredMsgPerSec) : OptionalDouble.empty();
        return seen.endNs() <= seen.startNs() || workload.consumesOnly()
                ? List.of()
                : Judge.soFar(
                        seen,
                        target,
                        backlogs,
                        workload.sloBounds(),
                        refusedInSearch,
                        errors,
                        !workload.faultsInOrder().isEmpty());
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
