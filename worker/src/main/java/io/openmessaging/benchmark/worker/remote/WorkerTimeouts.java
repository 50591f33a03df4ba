package io.openmessaging.benchmark.worker.remote;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** How long workers get for what. Immutable. */
public final class WorkerTimeouts {

    /** The option by which a user sets them. */
    public static final String OPTION = "--worker-limit";

    private static final int MS_PER_S = 1000;

    private final Map<WorkerTimeout, Duration> set;

    private WorkerTimeouts(Map<WorkerTimeout, Duration> set) {
        this.set = set;
    }

    /** Those that apply unless something else is asked for. */
    public static WorkerTimeouts defaults() {
        return new WorkerTimeouts(Map.of());
    }

    /** The same with another one. */
    public WorkerTimeouts with(WorkerTimeout limit, Duration duration) {
        Map<WorkerTimeout, Duration> all = new EnumMap<>(WorkerTimeout.class);
        all.putAll(set);
        all.put(limit, duration);
        return new WorkerTimeouts(all);
    }

    /** How long it is. */
    public Duration of(WorkerTimeout limit) {
        return set.getOrDefault(limit, limit.byDefault());
    }

    /** For messages: how long, and how that can be set. */
    String describe(WorkerTimeout limit) {
        long ms = of(limit).toMillis();
        String time = ms % MS_PER_S == 0 ? ms / MS_PER_S + " s" : ms + " ms";
        return time + " (" + OPTION + " " + limit.key() + ")";
    }
}
