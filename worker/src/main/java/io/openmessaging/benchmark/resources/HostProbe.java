package io.openmessaging.benchmark.resources;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HardwareAbstractionLayer;

/** Reads the figures of this machine. Traffic over loopback is not counted as network. */
public final class HostProbe extends ResourceProbe {

    /** Name of this machine. */
    public static final String NAME = "host";

    private static final Map<Figure, Set<TickType>> TIMES = Map.of(
            Figure.HOST_USER_PERCENT, EnumSet.of(TickType.USER, TickType.NICE),
            Figure.HOST_SYSTEM_PERCENT, EnumSet.of(TickType.SYSTEM, TickType.IRQ, TickType.SOFTIRQ),
            Figure.HOST_IO_WAIT_PERCENT, EnumSet.of(TickType.IOWAIT),
            Figure.HOST_STEAL_PERCENT, EnumSet.of(TickType.STEAL),
            Figure.HOST_IDLE_PERCENT, EnumSet.of(TickType.IDLE));

    private final CentralProcessor processor;
    private final GlobalMemory memory;
    private final long memoryBytes;
    private final Traffic traffic;

    /** Creates a probe of the machine with this hardware. */
    public HostProbe(HardwareAbstractionLayer hardware) {
        super(NAME, Role.HOST);
        this.processor = hardware.getProcessor();
        this.memory = hardware.getMemory();
        this.memoryBytes = memory.getTotal();
        this.traffic = Traffic.of(hardware);
    }

    @Override
    public EnumMap<Figure, Double> read() {
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        readProcessors(figures);
        double load = processor.getSystemLoadAverage(1)[0];
        if (load >= 0) {
            figures.put(Figure.LOAD_1_MIN, load);
        }
        figures.put(Figure.MEMORY_USED_PERCENT, 100.0 * (memoryBytes - memory.getAvailable()) / memoryBytes);
        traffic.read(figures);
        return figures;
    }

    /** Reads processor times, as the mean of all processors. Ticks are milliseconds, summed over all processors. */
    private void readProcessors(EnumMap<Figure, Double> figures) {
        long[] ticks = processor.getSystemCpuLoadTicks();
        double processors = Math.max(1, processor.getLogicalProcessorCount());
        TIMES.forEach((figure, types) -> figures.put(
                figure, types.stream().mapToLong(type -> ticks[type.getIndex()]).sum() / processors));
    }
}
