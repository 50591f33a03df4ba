package io.openmessaging.benchmark.measure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * What one garbage collector of a JVM has done.
 *
 * @param collections how many, as the JVM counts them: what its log calls a pause, remark and cleanup aside
 * @param milliseconds how long they took, together
 */
public record CollectorWork(long collections, double milliseconds) {

    /** Nothing. */
    public static final CollectorWork NONE = new CollectorWork(0, 0);

    /** What each collector of this process has done since it started, by its name. */
    public static Map<String, CollectorWork> ofThisProcess() {
        Map<String, CollectorWork> work = new HashMap<>();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            work.put(
                    collector.getName(),
                    new CollectorWork(
                            Math.max(0, collector.getCollectionCount()), Math.max(0, collector.getCollectionTime())));
        }
        return work;
    }

    /** Both together. */
    public CollectorWork plus(CollectorWork other) {
        return new CollectorWork(collections + other.collections, milliseconds + other.milliseconds);
    }

    /** What was done after that; all of it if less is counted now, by another process. */
    public CollectorWork since(CollectorWork earlier) {
        return collections < earlier.collections || milliseconds < earlier.milliseconds
                ? this
                : new CollectorWork(collections - earlier.collections, milliseconds - earlier.milliseconds);
    }
}
