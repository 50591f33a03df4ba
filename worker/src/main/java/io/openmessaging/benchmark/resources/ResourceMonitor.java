package io.openmessaging.benchmark.resources;

import java.util.List;
import java.util.Optional;

/** Watches the resources that a run uses. */
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
     * Ends the current period and returns the resources used in it. The next period starts at its end, and the first
     * period with the monitor, unless {@link #begin} sets another start.
     */
    ResourcePeriod sample();

    /** Starts a period now; usage since the end of the last one belongs to no period. */
    default void begin() {
        sample();
    }

    /** Returns the reasons why figures could not be read, a sentence each. */
    default List<String> problems() {
        return List.of();
    }

    /**
     * Returns a disk that is nearly full, as of the last reading; empty while there is room. Thread-safe, does not
     * block.
     */
    default Optional<DiskSpace> diskNearlyFull() {
        return Optional.empty();
    }

    /** Stops watching. */
    @Override
    void close();
}
