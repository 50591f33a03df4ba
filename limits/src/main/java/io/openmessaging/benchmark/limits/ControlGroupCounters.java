package io.openmessaging.benchmark.limits;

import org.jspecify.annotations.Nullable;

/**
 * Counters of a control group since it was made; null for what it does not count.
 *
 * @param throttledSlices number of slices of 100 ms in which its processes had used up their processor time and had to
 *     wait
 * @param usedBytes memory of its processes, including the cache of their files
 * @param heldBytes memory of its processes that cannot be reclaimed: without the cache of files
 * @param memoryLimitHits how often a request for memory exceeded the limit, so that the cache of files had to shrink or
 *     a process was killed. With cgroup v1, recent kernels leave it at 0
 * @param outOfMemoryKills number of processes killed because no memory could be reclaimed
 */
public record ControlGroupCounters(
        @Nullable Long throttledSlices,
        @Nullable Long usedBytes,
        @Nullable Long heldBytes,
        @Nullable Long memoryLimitHits,
        @Nullable Long outOfMemoryKills) {

    /** No counters. */
    public static final ControlGroupCounters NONE = new ControlGroupCounters(null, null, null, null, null);

    /** Length of a slice, which is the default of the kernel and of container engines. */
    public static final int SLICE_MS = 100;

    /** Fills missing counters from another group of the same processes. */
    ControlGroupCounters with(ControlGroupCounters other) {
        return new ControlGroupCounters(
                throttledSlices == null ? other.throttledSlices : throttledSlices,
                usedBytes == null ? other.usedBytes : usedBytes,
                heldBytes == null ? other.heldBytes : heldBytes,
                memoryLimitHits == null ? other.memoryLimitHits : memoryLimitHits,
                outOfMemoryKills == null ? other.outOfMemoryKills : outOfMemoryKills);
    }
}
