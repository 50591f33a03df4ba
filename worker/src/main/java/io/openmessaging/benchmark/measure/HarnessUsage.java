package io.openmessaging.benchmark.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a worker's process has used since it started.
 *
 * @param atNs when this was read, on a clock that only this process knows
 * @param cpuNs processor time of all its threads
 * @param collections how many garbage collections
 * @param collectionMs time spent in them, as the collectors report it
 * @param processors how many processors the process may use
 */
public record HarnessUsage(long atNs, long cpuNs, long collections, long collectionMs, int processors) {

    /** Reads the figures of this process. */
    public static HarnessUsage now() {
        CollectorWork all =
                CollectorWork.ofThisProcess().values().stream().reduce(CollectorWork.NONE, CollectorWork::plus);
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new HarnessUsage(
                System.nanoTime(),
                system.getProcessCpuTime(),
                all.collections(),
                (long) all.milliseconds(),
                Runtime.getRuntime().availableProcessors());
    }

    /** What was used since the earlier reading. */
    public HarnessUsage since(HarnessUsage earlier) {
        return new HarnessUsage(
                atNs - earlier.atNs,
                cpuNs - earlier.cpuNs,
                collections - earlier.collections,
                collectionMs - earlier.collectionMs,
                processors);
    }

    /** What each of some workers has used since the earlier readings, in the same order. */
    public static List<HarnessUsage> since(List<HarnessUsage> earlier, List<HarnessUsage> now) {
        return IntStream.range(0, now.size())
                .mapToObj(worker -> now.get(worker).since(earlier.get(worker)))
                .toList();
    }

    /** Of differences: what all workers have used together, and the longest of their times in collections. */
    public static Optional<HarnessUsage> together(List<HarnessUsage> ofWorkers) {
        return ofWorkers.stream()
                .reduce((one, other) -> new HarnessUsage(
                        Math.max(one.atNs, other.atNs),
                        one.cpuNs + other.cpuNs,
                        one.collections + other.collections,
                        Math.max(one.collectionMs, other.collectionMs),
                        one.processors + other.processors));
    }

    /** Of a difference: how many processors were busy on average. Time and use are not read at once: never more than all. */
    public double cores() {
        return atNs == 0 ? 0 : Math.min(processors, (double) cpuNs / atNs);
    }

    /** Of a difference: the part of the time that went into collections, from 0 to 1. */
    public double collectionShare() {
        return atNs == 0 ? 0 : collectionMs * 1e6 / atNs;
    }
}
