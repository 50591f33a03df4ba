package io.openmessaging.benchmark.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Resources that a worker's process has used since it started.
 *
 * @param atNs time of this reading, on a clock that only this process knows
 * @param cpuNs processor time of all its threads
 * @param collections number of garbage collections
 * @param collectionMs time spent in them, as the collectors report it
 * @param processors number of processors that the process may use
 */
public record HarnessUsage(long atNs, long cpuNs, long collections, long collectionMs, int processors) {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** Read once: in a container, the JVM reads files of the control group each time. */
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Reads the figures of this process. */
    public static HarnessUsage now() {
        CollectorWork all = CollectorWork.ofAll();
        return new HarnessUsage(
                System.nanoTime(),
                SYSTEM.getProcessCpuTime(),
                all.collections(),
                (long) all.milliseconds(),
                PROCESSORS);
    }

    /** Returns the usage since an earlier reading. */
    public HarnessUsage since(HarnessUsage earlier) {
        return new HarnessUsage(
                atNs - earlier.atNs,
                cpuNs - earlier.cpuNs,
                collections - earlier.collections,
                collectionMs - earlier.collectionMs,
                processors);
    }

    /** Returns the usage of each worker since the earlier readings, in the same order. */
    public static List<HarnessUsage> since(List<HarnessUsage> earlier, List<HarnessUsage> now) {
        return IntStream.range(0, now.size())
                .mapToObj(worker -> now.get(worker).since(earlier.get(worker)))
                .toList();
    }

    /** Adds up differences: usage of all workers together, with the longest of their times in collections. */
    public static Optional<HarnessUsage> together(List<HarnessUsage> ofWorkers) {
        return ofWorkers.stream()
                .reduce((one, other) -> new HarnessUsage(
                        Math.max(one.atNs, other.atNs),
                        one.cpuNs + other.cpuNs,
                        one.collections + other.collections,
                        Math.max(one.collectionMs, other.collectionMs),
                        one.processors + other.processors));
    }

    /**
     * For a difference: returns the average number of busy processors. Time and usage are not read at the same
     * instant, so the result is limited to all processors.
     */
    public double cores() {
        return atNs == 0 ? 0 : Math.min(processors, (double) cpuNs / atNs);
    }

    /** For a difference: returns the part of the time spent in collections, from 0 to 1. */
    public double collectionShare() {
        return atNs == 0 ? 0 : collectionMs * 1e6 / atNs;
    }
}
