package io.openmessaging.benchmark.worker.server;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What anybody can use of a worker's server. Immutable. */
public final class ServerLimits {

    private final Map<ServerLimit, Integer> set;

    private ServerLimits(Map<ServerLimit, Integer> set) {
        this.set = set;
    }

    /** Those that apply unless something else is asked for. */
    public static ServerLimits defaults() {
        return new ServerLimits(Map.of());
    }

    /** The same with another one. */
    public ServerLimits with(ServerLimit limit, int value) {
        Map<ServerLimit, Integer> all = new EnumMap<>(ServerLimit.class);
        all.putAll(set);
        all.put(limit, value);
        return new ServerLimits(all);
    }

    int of(ServerLimit limit) {
        return set.getOrDefault(limit, limit.byDefault());
    }

    /** One that is a time in milliseconds. */
    Duration time(ServerLimit limit) {
        return Duration.ofMillis(of(limit));
    }
}
