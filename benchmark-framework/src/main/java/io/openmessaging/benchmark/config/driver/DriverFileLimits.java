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
    private static final long LEAST_CLIENT_MEMORY_BYTES = 128L << 20;

    @Override
    public void check(Problems problems) {
        problems.require(
                clients.isNone() || eachClient.isNone(),
                "eachClient",
                "must not stand beside clients: either all producers and consumers share a limit, or each has its own",
                eachClient);
        String memory = eachClient.memory();
        problems.require(
                memory == null || hasRoom(memory),
                "eachClient.memory",
                "must be at least 128m, since each producer and each consumer is then a JVM of its own",
                memory);
    }

    private static boolean hasRoom(String memory) {
        try {
            return ProcessLimit.memoryBytes(memory) >= LEAST_CLIENT_MEMORY_BYTES;
        } catch (IllegalArgumentException e) {
            // It is no size, which is a problem of its own.
            return true;
        }
    }

    /** Checks that the heap is not larger than the memory of its process, which must be a mistake. */
    void checkHeap(LocalBrokerSettings localBroker, Problems problems) {
        String heap = localBroker.heap();
        String memory = broker.memory();
        problems.require(
                heap == null || memory == null || fits(heap, memory),
                "localBroker.heap",
                "must not be larger than limits.broker.memory, " + memory,
                heap);
    }

    private static boolean fits(String heap, String memory) {
        try {
            return ProcessLimit.memoryBytes(heap) <= ProcessLimit.memoryBytes(memory);
        } catch (IllegalArgumentException e) {
            // One of them is invalid, which is a problem of its own.
            return true;
        }
    }
}
