package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.limits.ProcessLimit;

/**
 * {@code limits} in a driver file.
 *
 * @param broker of each process of a local broker; none by default
 * @param clients of this process, which is all producers and consumers; none by default
 */
public record DriverFileLimits(
        @Default("{}") ProcessLimitSettings broker,
        @Default("{}") ProcessLimitSettings clients) {

    /** A heap that is larger than all the memory of its process cannot be meant. */
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
            // One of them is none, which is a problem of its own.
            return true;
        }
    }
}
