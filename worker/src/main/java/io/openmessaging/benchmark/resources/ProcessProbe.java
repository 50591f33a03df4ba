package io.openmessaging.benchmark.resources;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import oshi.software.os.OSProcess;
import oshi.software.os.OperatingSystem;

/** Reads the figures of a process of this machine. */
public final class ProcessProbe extends ResourceProbe {

    /**
     * Open files are counted only at every tenth reading: counting lists them, and a broker may have tens of
     * thousands.
     */
    private static final int READINGS_BETWEEN_COUNTS = 10;

    /** Resolution of a process' start time, which is derived from the system's boot time in whole seconds. */
    private static final long START_KNOWN_TO_MS = 1000;

    /** The figures that it reads. */
    public static final Set<Figure> FIGURES = Set.of(
            Figure.CPU_CORE_PERCENT,
            Figure.RESIDENT_BYTES,
            Figure.THREADS,
            Figure.OPEN_FILES,
            Figure.DISK_READ_BYTES_PER_SEC,
            Figure.DISK_WRITTEN_BYTES_PER_SEC);

    private static final double NS_PER_MS = 1e6;

    private final LongSupplier pid;
    private final OperatingSystem system;
    private final boolean withChildren;
    private final Map<Long, OSProcess> members = new HashMap<>();
    private double endedCpuMs;
    private double endedReadBytes;
    private double endedWrittenBytes;
    private double openFiles;
    private int readings;
    private long lookedNs;

    /**
     * Creates a probe of a running process and of all that it starts.
     *
     * @param pid its process id, requested at each reading: a node may be restarted in another process
     */
    public ProcessProbe(String name, Role role, LongSupplier pid, OperatingSystem system) {
        this(name, role, pid, system, true);
    }

    /**
     * Creates a probe of a running process, with or without the processes that it starts: local brokers are children
     * of the harness.
     */
    ProcessProbe(String name, Role role, LongSupplier pid, OperatingSystem system, boolean withChildren) {
        super(name, role);
        this.pid = pid;
        this.system = system;
        this.withChildren = withChildren;
    }

    @Override
    public EnumMap<Figure, Double> read() {
        boolean counts = readings++ % READINGS_BETWEEN_COUNTS == 0 || members.isEmpty();
        look();
        List<OSProcess> alive = new ArrayList<>();
        for (OSProcess member : List.copyOf(members.values())) {
            if (member.updateAttributes()) {
                alive.add(member);
            } else {
                remember(member);
            }
        }
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        if (alive.isEmpty()) {
            return figures;
        }
        figures.put(Figure.CPU_CORE_PERCENT, NS_PER_MS * (endedCpuMs + sum(alive, ProcessProbe::cpuMs)));
        figures.put(Figure.RESIDENT_BYTES, sum(alive, this::residentBytes));
        figures.put(Figure.THREADS, sum(alive, OSProcess::getThreadCount));
        if (counts) {
            openFiles = sum(alive, OSProcess::getOpenFiles);
        }
        figures.put(Figure.OPEN_FILES, openFiles);
        figures.put(Figure.DISK_READ_BYTES_PER_SEC, endedReadBytes + sum(alive, OSProcess::getBytesRead));
        figures.put(Figure.DISK_WRITTEN_BYTES_PER_SEC, endedWrittenBytes + sum(alive, OSProcess::getBytesWritten));
        return figures;
    }

    /** Keeps the usage of an ended child: the sum over all processes must not fall. */
    private void remember(OSProcess ended) {
        members.remove((long) ended.getProcessID());
        endedCpuMs += cpuMs(ended);
        endedReadBytes += ended.getBytesRead();
        endedWrittenBytes += ended.getBytesWritten();
    }

    /**
     * Looks for new processes. Called with each reading, so that the usage of a newly found child belongs to the time
     * since the last one.
     */
    private void look() {
        long nowNs = System.nanoTime();
        long sinceLookMs = lookedNs == 0 ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(nowNs - lookedNs);
        lookedNs = nowNs;
        long root = pid.getAsLong();
        if (withChildren) {
            ProcessTree.of(root).forEach(each -> join(each, sinceLookMs));
        } else {
            join(root, sinceLookMs);
        }
    }

    private void join(long found, long sinceLookMs) {
        OSProcess process = members.containsKey(found) ? null : system.getProcess(Math.toIntExact(found));
        if (process == null) {
            return;
        }
        members.put(found, process);
        if (process.getUpTime() - START_KNOWN_TO_MS > sinceLookMs) {
            // The process existed before, but not in this tree: its usage so far does not belong to the time since the
            // last look.
            endedCpuMs -= cpuMs(process);
            endedReadBytes -= process.getBytesRead();
            endedWrittenBytes -= process.getBytesWritten();
        }
    }

    /**
     * Returns the resident memory of a process; for a child that is a copy of its parent, such as the one that Redis
     * starts to write its data to disk, only the memory that it does not share. To determine this, the kernel walks
     * through all of its pages, so it is requested only for copies.
     */
    private double residentBytes(OSProcess process) {
        OSProcess parent = members.get((long) process.getParentProcessID());
        boolean copy = parent != null && parent.getPath().equals(process.getPath());
        return copy
                ? ProcessTree.unsharedBytes(process.getProcessID()).orElse(process.getResidentMemory())
                : process.getResidentMemory();
    }

    private static double sum(List<OSProcess> processes, ToDoubleFunction<OSProcess> reading) {
        return processes.stream().mapToDouble(reading).sum();
    }

    private static double cpuMs(OSProcess process) {
        return (double) process.getKernelTime() + process.getUserTime();
    }
}
