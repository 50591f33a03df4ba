package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.limits.ProcessLimit;

/**
 * The key {@code limits} of a driver file.
 *
 * @param broker limits of each process of a local broker; none by default
 * @param clients limits of this process, which has all producers and consumers; none by default
 * @param eachClient limits of each producer and each consumer, which then are processes of their own; none by default
 */
public record DriverFileLimits(
        @Default("{}") ProcessLimitSettings broker,
        @Default("{}") ProcessLimitSettings clients,
        @Default("{}") ProcessLimitSettings eachClient)
        implements Checked {

    /** A client is a JVM of its own, with a heap of half of its memory. */
    private static final String LEAST_CLIENT_MEMORY = "128m";

    @Override
    public void check(Problems problems) {
        problems.require(
                clients.isNone() || eachClient.isNone(),
                "eachClient",
                "must not stand beside clients: either all producers and consumers share a limit, or each has its own",
                eachClient);
        String memory = eachClient.memory();
        problems.require(
                memory == null || isAtLeast(memory, LEAST_CLIENT_MEMORY),
                "eachClient.memory",
                "must be at least " + LEAST_CLIENT_MEMORY
                        + ", since each producer and each consumer is then a JVM of its own",
                memory);
    }

    /** Checks that the heap is not larger than the memory of its process, which must be a mistake. */
    void checkHeap(LocalBrokerSettings localBroker, Problems problems) {
        String heap = localBroker.heap();
        String memory = broker.memory();
        problems.require(
                heap == null || memory == null || isAtLeast(memory, heap),
                "localBroker.heap",
                "must not be larger than limits.broker.memory, " + memory,
                heap);
    }

    /** Returns whether a size is at least another one; true for what is no size, which is a problem of its own. */
    private static boolean isAtLeast(String memory, String least) {
        try {
            return ProcessLimit.memoryBytes(memory) >= ProcessLimit.memoryBytes(least);
        } catch (IllegalArgumentException e) {
            return true;
        }
    }
}
