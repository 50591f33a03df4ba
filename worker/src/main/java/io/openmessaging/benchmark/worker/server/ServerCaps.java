package io.openmessaging.benchmark.worker.server;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What anybody can use of a worker's server. Immutable. */
public final class ServerCaps {

    private final Map<ServerCap, Integer> set;

    private ServerCaps(Map<ServerCap, Integer> set) {
        this.set = set;
    }

    /** Those that apply unless something else is asked for. */
    public static ServerCaps defaults() {
        return new ServerCaps(Map.of());
    }

    /** The same with another one. */
    public ServerCaps with(ServerCap limit, int value) {
        Map<ServerCap, Integer> all = new EnumMap<>(ServerCap.class);
        all.putAll(set);
        all.put(limit, value);
        return new ServerCaps(all);
    }

    int of(ServerCap limit) {
        return set.getOrDefault(limit, limit.byDefault());
    }

    /** One that is a time in milliseconds. */
    Duration time(ServerCap limit) {
        return Duration.ofMillis(of(limit));
    }
}
