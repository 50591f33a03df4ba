package io.openmessaging.benchmark.worker.server;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Values of all {@link ServerCap limits} on what anybody can use of a worker's server. Immutable. */
public final class ServerCaps {

    private final Map<ServerCap, Integer> set;

    private ServerCaps(Map<ServerCap, Integer> set) {
        this.set = set;
    }

    public static ServerCaps defaults() {
        return new ServerCaps(Map.of());
    }

    /** Returns these caps with one of them changed. */
    public ServerCaps with(ServerCap limit, int value) {
        Map<ServerCap, Integer> all = new EnumMap<>(ServerCap.class);
        all.putAll(set);
        all.put(limit, value);
        return new ServerCaps(all);
    }

    int of(ServerCap limit) {
        return set.getOrDefault(limit, limit.byDefault());
    }

    /** Returns a cap that is a time in milliseconds. */
    Duration time(ServerCap limit) {
        return Duration.ofMillis(of(limit));
    }
}
