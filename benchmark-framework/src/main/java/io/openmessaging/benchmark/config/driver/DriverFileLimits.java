package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.limits.ProcessLimit;

/**
 * The key {@code limits} of a driver file.
 *
 * @param broker limits of each process of a local broker; none by default
 * @param clients limits of this process, which has all producers and consumers; none by default
 */
public record DriverFileLimits(
        @Default("{}") ProcessLimitSettings broker,
        @Default("{}") ProcessLimitSettings clients) {

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
