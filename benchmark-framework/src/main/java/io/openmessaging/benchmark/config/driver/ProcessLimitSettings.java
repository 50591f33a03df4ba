package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.limits.ProcessLimit;
import org.jspecify.annotations.Nullable;

/**
 * {@code limits.broker} or {@code limits.clients} in a driver file: what a process may use.
 *
 * @param cpus in processors, such as 2 or 0.5; null for as much as there is
 * @param memory as {@code -Xmx} has it, such as {@code 512m}; null for as much as there is
 */
public record ProcessLimitSettings(
        @Nullable Double cpus, @Nullable String memory) implements Checked {

    /** Less would not even start a broker. */
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

    private static boolean isEnough(String memory) {
        try {
            return ProcessLimit.memoryBytes(memory) >= LEAST_MEMORY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * The limit.
     *
     * @throws IllegalArgumentException if the values are not as {@link #check} asks for
     */
    public ProcessLimit limit() {
        return new ProcessLimit(cpus, memory == null ? null : ProcessLimit.memoryBytes(memory));
    }
}
