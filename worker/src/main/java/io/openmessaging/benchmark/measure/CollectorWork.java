package io.openmessaging.benchmark.measure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The work of one garbage collector of a JVM.
 *
 * @param collections number of collections as the JVM counts them: what its log calls a pause, except remark and
 *     cleanup
 * @param milliseconds total duration of the collections
 */
public record CollectorWork(long collections, double milliseconds) {

    /** Looked up once: a lookup takes some 100 µs until it is compiled, and each status of a worker reads them. */
    private static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();

    /** No work. */
    public static final CollectorWork NONE = new CollectorWork(0, 0);

    /** Returns the work of each collector of this process since its start, by collector name. */
    public static Map<String, CollectorWork> ofThisProcess() {
        Map<String, CollectorWork> work = new HashMap<>();
        for (GarbageCollectorMXBean collector : COLLECTORS) {
            work.put(collector.getName(), of(collector));
        }
        return work;
    }

    /** Returns the work of all collectors of this process since its start. */
    static CollectorWork ofAll() {
        CollectorWork all = NONE;
        for (GarbageCollectorMXBean collector : COLLECTORS) {
            all = all.plus(of(collector));
        }
        return all;
    }

    private static CollectorWork of(GarbageCollectorMXBean collector) {
        return new CollectorWork(
                Math.max(0, collector.getCollectionCount()), Math.max(0, collector.getCollectionTime()));
    }

    /** Returns the sum. */
    public CollectorWork plus(CollectorWork other) {
        return new CollectorWork(collections + other.collections, milliseconds + other.milliseconds);
    }

    /**
     * Returns the work done since an earlier reading; all of it if the counts are lower now, because the process is
     * another one.
     */
    public CollectorWork since(CollectorWork earlier) {
        return collections < earlier.collections || milliseconds < earlier.milliseconds
                ? this
                : new CollectorWork(collections - earlier.collections, milliseconds - earlier.milliseconds);
    }
}
