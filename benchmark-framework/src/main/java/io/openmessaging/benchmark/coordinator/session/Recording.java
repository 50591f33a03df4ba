package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The periods and phases of a run, as they come. Belongs to the run's thread. */
public final class Recording {

    /** A last period shorter than this part of a whole one says little by itself: it is added to the one before. */
    private static final double SHORTEST_OWN_PERIOD = 0.5;

    private final LongSupplier clock;
    private final StatePublisher state;
    private final List<RunResult.Phase> phases = new ArrayList<>();
    private final List<RunPeriod> warmup = new ArrayList<>();
    private final List<RunPeriod> measured = new ArrayList<>();
    private final List<Finding> notes = new ArrayList<>();
    private final ResourceMonitor monitor;
    private RunPhase current = RunPhase.PROVISION;
    private long currentStartNs;

    Recording(LongSupplier clock, StatePublisher state, ResourceMonitor monitor) {
        this.clock = clock;
        this.state = state;
        this.monitor = monitor;
        this.currentStartNs = clock.getAsLong();
        state.phase(current);
    }

    /** A phase begins, and with that the one before it ends. */
    public void begin(RunPhase phase) {
        endPhase();
        current = phase;
        state.phase(phase);
    }

    /** A phase begins whose periods have nothing of what was used before them. */
    public void beginApart(RunPhase phase) {
        monitor.begin();
        begin(phase);
    }

    /** Whether the current phase has no period yet. */
    boolean isAtBegin() {
        List<RunPeriod> into = kept();
        return into == null || into.isEmpty();
    }

    /**
     * The current phase begins only now; what was until now belongs to the one before.
     *
     * @param latestNs when it has begun at the latest, epoch nanoseconds
     */
    void beginAgain(long latestNs) {
        monitor.begin();
        currentStartNs = Math.min(clock.getAsLong(), latestNs);
        if (!phases.isEmpty()) {
            RunResult.Phase before = phases.remove(phases.size() - 1);
            phases.add(new RunResult.Phase(before.name(), before.startNs(), currentStartNs));
        }
    }

    /** The current phase ends. */
    public void endPhase() {
        long nowNs = clock.getAsLong();
        phases.add(new RunResult.Phase(current.label(), currentStartNs, nowNs));
        currentStartNs = nowNs;
    }

    /** Where the periods of the current phase belong; null if they are not kept. */
    private @Nullable List<RunPeriod> kept() {
        return switch (current) {
            case WARM_UP -> warmup;
            case MEASURE, BACKLOG_BUILD, BACKLOG_DRAIN -> measured;
            case PROVISION, READY, SETTLE, SEARCH, DRAIN, AUDIT -> null;
        };
    }

    /** A period of full length has ended; returns it with what was used in it. */
    RunPeriod add(Worker.Period ended) {
        RunPeriod period = watched(ended);
        List<RunPeriod> into = kept();
        if (into != null) {
            into.add(period);
        }
        return period;
    }

    private RunPeriod watched(Worker.Period ended) {
        return new RunPeriod(ended.seen(), monitor.sample().with(ended.used()));
    }

    /** The last period of a phase has ended, maybe before its time; returns it with what was used in it. */
    public RunPeriod addLast(Worker.Period ended, double fullSeconds, boolean firstOfPhase) {
        RunPeriod period = watched(ended);
        PeriodSnapshot seen = period.seen();
        List<RunPeriod> into = kept();
        if (into == null || seen.endNs() <= seen.startNs()) {
            return period;
        }
        if (!firstOfPhase && seen.seconds() < SHORTEST_OWN_PERIOD * fullSeconds) {
            int last = into.size() - 1;
            into.set(last, into.get(last).followedBy(period));
        } else {
            into.add(period);
        }
        return period;
    }

    /** Of what was measured only these periods are to be kept: the others were measured on the way to them. */
    public void keepOnly(int fromPeriod, int toPeriod) {
        measured.subList(toPeriod, measured.size()).clear();
        measured.subList(0, fromPeriod).clear();
    }

    /** What was measured turned out to be a try of the search: its periods are not kept, its time is that of the search. */
    public void backToSearch() {
        measured.clear();
        current = RunPhase.SEARCH;
        state.phase(current);
    }

    /** Something that a phase noticed itself. */
    public void note(Finding finding) {
        notes.add(finding);
    }

    /** What the phases noticed, in order. */
    public List<Finding> notes() {
        return notes;
    }

    public List<RunResult.Phase> phases() {
        return phases;
    }

    /** What was seen in the periods of the warm-up. */
    public List<PeriodSnapshot> warmup() {
        return seen(warmup);
    }

    /** What was seen in the periods of the measurement. */
    public List<PeriodSnapshot> measured() {
        return seen(measured);
    }

    private static List<PeriodSnapshot> seen(List<RunPeriod> periods) {
        return periods.stream().map(RunPeriod::seen).toList();
    }

    /** The periods of the measurement, with what was used in each. */
    public List<RunPeriod> periods() {
        return measured;
    }
}
