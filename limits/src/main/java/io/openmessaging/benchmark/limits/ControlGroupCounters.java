package io.openmessaging.benchmark.limits;

import org.jspecify.annotations.Nullable;

/**
 * What a control group has counted since it was made. Null is what it does not count.
 *
 * @param throttledSlices in how many slices of 100 ms its processes had used up their processor time and had to wait
 * @param usedBytes memory of its processes, the cache of their files included
 * @param heldBytes memory of its processes that cannot be taken from them: without the cache of files
 * @param memoryLimitHits how often more memory was asked for than the limit leaves; the cache of files had to shrink, or
 *     somebody was killed. With cgroup v1, recent kernels leave it at 0
 * @param outOfMemoryKills how many processes were killed because nothing could be taken from anybody
 */
public record ControlGroupCounters(
        @Nullable Long throttledSlices,
        @Nullable Long usedBytes,
        @Nullable Long heldBytes,
        @Nullable Long memoryLimitHits,
        @Nullable Long outOfMemoryKills) {

    /** Where nothing is counted. */
    public static final ControlGroupCounters NONE = new ControlGroupCounters(null, null, null, null, null);

    /** The length of a slice, the kernel's own default and that of container engines. */
    public static final int SLICE_MS = 100;

    /** With what another group of the same processes counts. */
    ControlGroupCounters with(ControlGroupCounters other) {
        return new ControlGroupCounters(
                throttledSlices == null ? other.throttledSlices : throttledSlices,
                usedBytes == null ? other.usedBytes : usedBytes,
                heldBytes == null ? other.heldBytes : heldBytes,
                memoryLimitHits == null ? other.memoryLimitHits : memoryLimitHits,
                outOfMemoryKills == null ? other.outOfMemoryKills : outOfMemoryKills);
    }
}
