package io.openmessaging.benchmark.worker.remote;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** How long workers get for what. Immutable. */
public final class WorkerLimits {

    /** The option by which a user sets them. */
    public static final String OPTION = "--worker-limit";

    private static final int MS_PER_S = 1000;

    private final Map<Limit, Duration> set;

    private WorkerLimits(Map<Limit, Duration> set) {
        this.set = set;
    }

    /** Those that apply unless something else is asked for. */
    public static WorkerLimits defaults() {
        return new WorkerLimits(Map.of());
    }

    /** The same with another one. */
    public WorkerLimits with(Limit limit, Duration duration) {
        Map<Limit, Duration> all = new EnumMap<>(Limit.class);
        all.putAll(set);
        all.put(limit, duration);
        return new WorkerLimits(all);
    }

    /** How long it is. */
    public Duration of(Limit limit) {
        return set.getOrDefault(limit, limit.byDefault());
    }

    /** For messages: how long, and how that can be set. */
    String describe(Limit limit) {
        long ms = of(limit).toMillis();
        String time = ms % MS_PER_S == 0 ? ms / MS_PER_S + " s" : ms + " ms";
        return time + " (" + OPTION + " " + limit.key() + ")";
    }
}
