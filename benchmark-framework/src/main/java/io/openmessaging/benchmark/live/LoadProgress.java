package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunState;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run's load that is done: of the time of warm-up and measurement, or of the messages if their number
 * ends the measurement. Written by the run's thread under the lock of {@link LiveRuns}.
 */
final class LoadProgress {

    private final long warmupMs;

    /** Time of warm-up and measurement; 0 if unknown. */
    private final long plannedMs;

    private final @Nullable Long messageCount;
    private final boolean consumesOnly;

    /** Phases whose time is planned; each rate of a sweep settles first. */
    private final Set<RunPhase> planned;

    private @Nullable RunPhase phase;
    private long lastMs;
    private long loadMs;
    private long messagesBefore;
    private long messages;

    LoadProgress(Workload workload) {
        this.warmupMs = workload.warmupTime().toMillis();
        this.plannedMs = workload.testTime()
                .map(Duration::toMillis)
                .map(ms -> warmupMs + ms)
                .orElse(0L);
        this.messageCount = workload.messageCount();
        this.consumesOnly = workload.consumesOnly();
        this.planned = workload.rateSweep() == null
                ? Set.of(RunPhase.WARM_UP, RunPhase.MEASURE)
                : Set.of(RunPhase.WARM_UP, RunPhase.SETTLE, RunPhase.MEASURE);
    }

    /** Adds a state of the run. */
    void state(RunState now, long atMs) {
        if (phase != null && planned.contains(phase)) {
            loadMs += atMs - lastMs;
        }
        lastMs = atMs;
        Totals totals = now.totals();
        if (totals != null) {
            messages = consumesOnly ? Collections.min(totals.received()) : totals.sent();
        }
        if (now.phase() != phase) {
            phase = now.phase();
            begun();
        }
    }

    /** A warm-up may end early, and a search may measure several times. */
    private void begun() {
        if (phase == RunPhase.SEARCH) {
            loadMs = warmupMs;
        } else if (phase == RunPhase.MEASURE) {
            loadMs = Math.max(loadMs, warmupMs);
            messagesBefore = messages;
        }
    }

    /** Returns the part that is done, from 0 to 1; null if it is unknown how much there is to do. */
    @Nullable
    Double done() {
        if (phase == RunPhase.DRAIN || phase == RunPhase.AUDIT) {
            return 1.0;
        }
        if (messageCount != null) {
            return phase == RunPhase.MEASURE ? Math.min(1, (double) (messages - messagesBefore) / messageCount) : 0.0;
        }
        return plannedMs == 0 ? null : (Double) Math.min(1, (double) loadMs / plannedMs);
    }
}
