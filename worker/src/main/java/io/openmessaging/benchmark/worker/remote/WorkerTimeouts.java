package io.openmessaging.benchmark.worker.remote;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Values of the time limits for worker calls. Immutable. */
public final class WorkerTimeouts {

    /** The option with which a user sets them. */
    public static final String OPTION = "--worker-limit";

    private static final int MS_PER_S = 1000;

    private final Map<WorkerTimeout, Duration> set;

    private WorkerTimeouts(Map<WorkerTimeout, Duration> set) {
        this.set = set;
    }

    public static WorkerTimeouts defaults() {
        return new WorkerTimeouts(Map.of());
    }

    /** Returns these timeouts with one of them changed. */
    public WorkerTimeouts with(WorkerTimeout limit, Duration duration) {
        Map<WorkerTimeout, Duration> all = new EnumMap<>(WorkerTimeout.class);
        all.putAll(set);
        all.put(limit, duration);
        return new WorkerTimeouts(all);
    }

    public Duration of(WorkerTimeout limit) {
        return set.getOrDefault(limit, limit.byDefault());
    }

    /** Describes a timeout for messages: its length and how to set it. */
    String describe(WorkerTimeout limit) {
        long ms = of(limit).toMillis();
        String time = ms % MS_PER_S == 0 ? ms / MS_PER_S + " s" : ms + " ms";
        return time + " (" + OPTION + " " + limit.key() + ")";
    }
}
