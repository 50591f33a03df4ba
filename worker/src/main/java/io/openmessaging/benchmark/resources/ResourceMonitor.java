package io.openmessaging.benchmark.resources;

import java.util.List;
import java.util.Optional;

/** Watches what a run costs. */
public interface ResourceMonitor extends AutoCloseable {

    /** Watches nothing. */
    ResourceMonitor NONE = new ResourceMonitor() {
        @Override
        public ResourcePeriod sample() {
            return ResourcePeriod.NONE;
        }

        @Override
        public void close() {}
    };

    /**
     * Ends the current period and returns what was used in it. The next begins with it, the first with the monitor, unless
     * {@link #begin} says otherwise.
     */
    ResourcePeriod sample();

    /** Begins a period now; what was used since the last one ended belongs to none. */
    default void begin() {
        sample();
    }

    /** What kept figures from being read, a sentence each. */
    default List<String> problems() {
        return List.of();
    }

    /** A disk that will soon be full, as the last reading saw it; empty while there is room. Thread-safe, does not block. */
    default Optional<DiskSpace> diskNearlyFull() {
        return Optional.empty();
    }

    /** Stops watching. */
    @Override
    void close();
}
