package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.limits.ProcessLimit;
import org.jspecify.annotations.Nullable;

/**
 * A key of {@code limits} in a driver file: the resources that a process may use.
 *
 * @param cpus number of processors, such as 2 or 0.5; null for no limit
 * @param memory memory in the notation of {@code -Xmx}, such as {@code 512m}; null for no limit
 */
public record ProcessLimitSettings(
        @Nullable Double cpus, @Nullable String memory) implements Checked {

    /** With less memory, no broker would even start. */
    private static final long LEAST_MEMORY_BYTES = 16L << 20;

    @Override
    public void check(Problems problems) {
        problems.require(
                cpus == null || (cpus >= ProcessLimit.LEAST_CPUS && cpus <= ProcessLimit.MOST_CPUS),
                "cpus",
                ProcessLimit.CPUS_RULE,
                cpus);
        problems.require(
                memory == null || isEnough(memory),
                "memory",
                "must be a size such as 512m or 2g, at least 16m",
                memory);
    }

    /** Returns whether nothing is limited. */
    boolean isNone() {
        return cpus == null && memory == null;
    }

    private static boolean isEnough(String memory) {
        try {
            return ProcessLimit.memoryBytes(memory) >= LEAST_MEMORY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Returns the limit.
     *
     * @throws IllegalArgumentException if the values break the rules of {@link #check}
     */
    public ProcessLimit limit() {
        return new ProcessLimit(cpus, memory == null ? null : ProcessLimit.memoryBytes(memory));
    }
}
