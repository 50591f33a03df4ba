package io.openmessaging.benchmark.resources;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import oshi.software.os.OSProcess;
import oshi.software.os.OperatingSystem;

/** A process of this machine. */
public final class ProcessProbe extends ResourceProbe {

    /**
     * Looking for children goes through all processes of the machine, and most brokers never have another one; counting
     * open files lists them, and a broker may have tens of thousands.
     */
    private static final int READINGS_BETWEEN_LOOKS = 10;

    /** What it reads. */
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

    /**
     * Of a process that runs, and all that it starts.
     *
     * @param pid its process id, asked for again now and then: a node may be started again in another process
     */
    public ProcessProbe(String name, Role role, LongSupplier pid, OperatingSystem system) {
        this(name, role, pid, system, true);
    }

    /** Of a process that runs, maybe without what it has started: local brokers are children of the harness. */
    ProcessProbe(String name, Role role, LongSupplier pid, OperatingSystem system, boolean withChildren) {
        super(name, role);
        this.pid = pid;
        this.system = system;
        this.withChildren = withChildren;
    }

    @Override
    public EnumMap<Figure, Double> read() {
        boolean looks = readings++ % READINGS_BETWEEN_LOOKS == 0 || members.isEmpty();
        if (looks) {
            look();
        }
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
        figures.put(Figure.RESIDENT_BYTES, sum(alive, OSProcess::getResidentMemory));
        figures.put(Figure.THREADS, sum(alive, OSProcess::getThreadCount));
        if (looks) {
            openFiles = sum(alive, OSProcess::getOpenFiles);
        }
        figures.put(Figure.OPEN_FILES, openFiles);
        figures.put(Figure.DISK_READ_BYTES_PER_SEC, endedReadBytes + sum(alive, OSProcess::getBytesRead));
        figures.put(Figure.DISK_WRITTEN_BYTES_PER_SEC, endedWrittenBytes + sum(alive, OSProcess::getBytesWritten));
        return figures;
    }

    /** What a child has used stays used when it has ended: the sum over all must not fall. */
    private void remember(OSProcess ended) {
        members.remove((long) ended.getProcessID());
        endedCpuMs += cpuMs(ended);
        endedReadBytes += ended.getBytesRead();
        endedWrittenBytes += ended.getBytesWritten();
    }

    private void look() {
        ProcessHandle.of(pid.getAsLong()).stream()
                .flatMap(root -> Stream.concat(Stream.of(root), withChildren ? root.descendants() : Stream.of()))
                .forEach(each ->
                        members.computeIfAbsent(each.pid(), member -> system.getProcess(Math.toIntExact(member))));
    }

    private static double sum(List<OSProcess> processes, ToDoubleFunction<OSProcess> reading) {
        return processes.stream().mapToDouble(reading).sum();
    }

    private static double cpuMs(OSProcess process) {
        return (double) process.getKernelTime() + process.getUserTime();
    }
}
