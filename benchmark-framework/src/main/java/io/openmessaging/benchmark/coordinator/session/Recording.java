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

/** The periods and phases of a run, as they happen. Used by the run's thread only. */
public final class Recording {

    /** A last period shorter than this part of a whole one is too short to report: it is added to the one before. */
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
    private boolean begunAgain;

    Recording(LongSupplier clock, StatePublisher state, ResourceMonitor monitor) {
        this.clock = clock;
        this.state = state;
        this.monitor = monitor;
        this.currentStartNs = clock.getAsLong();
        state.phase(current);
    }

    /** Starts a phase, which ends the one before. */
    public void begin(RunPhase phase) {
        endPhase();
        begunAgain = false;
        current = phase;
        state.phase(phase);
    }

    /** Starts a phase whose periods exclude resources used before it. */
    public void beginApart(RunPhase phase) {
        monitor.begin();
        begin(phase);
    }

    /** Returns whether the current phase has no period yet. */
    boolean isAtBegin() {
        List<RunPeriod> into = kept();
        return into == null || into.isEmpty();
    }

    /**
     * Moves the start of the current phase to now; the time until now belongs to the phase before. Only the first load
     * of a phase does that: a search has many.
     *
     * @param latestNs latest possible start, epoch nanoseconds
     */
    void beginAgain(long latestNs) {
        if (begunAgain) {
            return;
        }
        begunAgain = true;
        monitor.begin();
        currentStartNs = Math.min(clock.getAsLong(), latestNs);
        if (!phases.isEmpty()) {
            RunResult.Phase before = phases.remove(phases.size() - 1);
            phases.add(new RunResult.Phase(before.name(), before.startNs(), currentStartNs));
        }
    }

    /** Ends the current phase. */
    public void endPhase() {
        long nowNs = clock.getAsLong();
        phases.add(new RunResult.Phase(current.label(), currentStartNs, nowNs));
        currentStartNs = nowNs;
    }

    /** The list that the periods of the current phase belong to; null if they are not kept. */
    private @Nullable List<RunPeriod> kept() {
        return switch (current) {
            case WARM_UP -> warmup;
            case MEASURE, BACKLOG_BUILD, BACKLOG_DRAIN -> measured;
            case PROVISION, READY, SETTLE, SEARCH, DRAIN, AUDIT -> null;
        };
    }

    /** Adds a period of full length; returns it with the resources used in it. */
    public RunPeriod add(Worker.Period ended) {
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

    /** Adds the last period of a phase, which may be shorter than others; returns it with the resources used in it. */
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

    /** Keeps only these of the measured periods: the others were measured on the way to them. */
    public void keepOnly(int fromPeriod, int toPeriod) {
        measured.subList(toPeriod, measured.size()).clear();
        measured.subList(0, fromPeriod).clear();
    }

    /**
     * Turns the measurement into a try of the search: discards its periods, and counts its time as that of the search.
     */
    public void backToSearch() {
        measured.clear();
        current = RunPhase.SEARCH;
        state.phase(current);
    }

    /** Adds a finding of the current phase. */
    public void note(Finding finding) {
        notes.add(finding);
    }

    /** The findings of the phases, in order. */
    public List<Finding> notes() {
        return notes;
    }

    public List<RunResult.Phase> phases() {
        return phases;
    }

    /** The periods of the warm-up, without resources. */
    public List<PeriodSnapshot> warmup() {
        return seen(warmup);
    }

    /** The periods of the measurement, without resources. */
    public List<PeriodSnapshot> measured() {
        return seen(measured);
    }

    private static List<PeriodSnapshot> seen(List<RunPeriod> periods) {
        return periods.stream().map(RunPeriod::seen).toList();
    }

    /** The periods of the measurement, with the resources used in each. */
    public List<RunPeriod> periods() {
        return measured;
    }
}
