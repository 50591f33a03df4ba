package io.openmessaging.benchmark.resources;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.ThreadMXBean;
import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.measure.HarnessUsage;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import oshi.software.os.OperatingSystem;

/**
 * Reads the figures of this process: those of any process, its garbage collector, its allocations, and its sending
 * threads.
 */
public final class HarnessProbe extends ResourceProbe {

    /** Collector name part for concurrent work, which is no pause. */
    private static final String CONCURRENT = "Concurrent";

    private final ProcessProbe process;
    private final Predicate<String> isLoadThread;
    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private final AtomicLong longestPauseMs = new AtomicLong();
    private final NotificationListener pauses = this::noteCollection;
    private final Map<Long, Long> allocatedBy = new HashMap<>();
    private final Map<Long, Long> cpuNsOfLoad = new HashMap<>();

    /** True for the known threads that send; each thread's name is looked up once. */
    private final Map<Long, Boolean> sends = new HashMap<>();

    private Map<String, CollectorWork> collectors = Map.of();
    private double allocatedBytes;
    private double loadCpuNs;

    /**
     * Creates the probe and starts to listen to the collectors.
     *
     * @param isLoadThread returns, from its name, whether a thread sends
     */
    public HarnessProbe(OperatingSystem system, Predicate<String> isLoadThread) {
        super(SamplingMonitor.HARNESS, Role.HARNESS);
        this.process = new ProcessProbe(name(), role(), ProcessHandle.current()::pid, system, false);
        this.isLoadThread = isLoadThread;
        emitters().forEach(collector -> collector.addNotificationListener(pauses, null, null));
    }

    private static List<NotificationEmitter> emitters() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(NotificationEmitter.class::isInstance)
                .map(NotificationEmitter.class::cast)
                .toList();
    }

    private void noteCollection(Notification notification, Object handback) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo collection =
                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            if (!collection.getGcName().contains(CONCURRENT)) {
                longestPauseMs.accumulateAndGet(collection.getGcInfo().getDuration(), Math::max);
            }
        }
    }

    @Override
    public EnumMap<Figure, Double> read() {
        EnumMap<Figure, Double> figures = process.read();
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        figures.put(Figure.HEAP_USED_BYTES, (double) heap.getUsed());
        figures.put(Figure.HEAP_COMMITTED_BYTES, (double) heap.getCommitted());
        HarnessUsage usage = HarnessUsage.now();
        figures.put(Figure.CPU_CORE_PERCENT, (double) usage.cpuNs());
        figures.put(Figure.COLLECTIONS_PER_SEC, (double) usage.collections());
        figures.put(Figure.COLLECTION_PERCENT, (double) usage.collectionMs());
        collectors = CollectorWork.ofThisProcess();
        figures.put(Figure.LONGEST_PAUSE_MS, (double) longestPauseMs.getAndSet(0));
        readThreads();
        figures.put(Figure.ALLOCATED_BYTES_PER_SEC, allocatedBytes);
        figures.put(Figure.LOAD_THREADS_CORE_PERCENT, loadCpuNs);
        return figures;
    }

    @Override
    public Map<String, CollectorWork> collectors() {
        return collectors;
    }

    /**
     * Adds up allocations per thread, since JDK 17 counts them by thread only. Activity of a thread between the last
     * reading and its end is not seen.
     */
    private void readThreads() {
        long[] ids = threads.getAllThreadIds();
        long[] allocated = threads.getThreadAllocatedBytes(ids);
        long[] cpuNs = threads.getThreadCpuTime(ids);
        Set<Long> alive = Arrays.stream(ids).boxed().collect(Collectors.toSet());
        allocatedBy.keySet().retainAll(alive);
        cpuNsOfLoad.keySet().retainAll(alive);
        sends.keySet().retainAll(alive);
        for (int i = 0; i < ids.length; i++) {
            allocatedBytes += growth(allocatedBy, ids[i], allocated[i]);
            if (sends.computeIfAbsent(ids[i], this::isLoadThread)) {
                loadCpuNs += growth(cpuNsOfLoad, ids[i], cpuNs[i]);
            }
        }
    }

    private boolean isLoadThread(long id) {
        ThreadInfo info = threads.getThreadInfo(id);
        return info != null && isLoadThread.test(info.getThreadName());
    }

    private static long growth(Map<Long, Long> last, long id, long now) {
        if (now < 0) {
            return 0;
        }
        Long before = last.put(id, now);
        return Math.max(0, now - (before == null ? 0 : before));
    }

    @Override
    public void close() {
        for (NotificationEmitter collector : emitters()) {
            try {
                collector.removeNotificationListener(pauses);
            } catch (ListenerNotFoundException e) {
                // The listener was already removed.
            }
        }
    }
}
