package io.openmessaging.benchmark.resources;

import java.util.EnumMap;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HardwareAbstractionLayer;

/** This machine. Traffic over loopback is not counted as network. */
public final class HostProbe extends ResourceProbe {

    private final CentralProcessor processor;
    private final GlobalMemory memory;
    private final long memoryBytes;
    private final Traffic traffic;

    /** Of the machine with this hardware. */
    public HostProbe(HardwareAbstractionLayer hardware) {
        super("host", Role.HOST);
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

    /** The ticks are milliseconds that a processor spent, added up over all of them. */
    private void readProcessors(EnumMap<Figure, Double> figures) {
        long[] ticks = processor.getSystemCpuLoadTicks();
        int processors = Math.max(1, processor.getLogicalProcessorCount());
        put(figures, Figure.HOST_USER_PERCENT, processors, at(ticks, TickType.USER) + at(ticks, TickType.NICE));
        put(
                figures,
                Figure.HOST_SYSTEM_PERCENT,
                processors,
                at(ticks, TickType.SYSTEM) + at(ticks, TickType.IRQ) + at(ticks, TickType.SOFTIRQ));
        put(figures, Figure.HOST_IO_WAIT_PERCENT, processors, at(ticks, TickType.IOWAIT));
        put(figures, Figure.HOST_STEAL_PERCENT, processors, at(ticks, TickType.STEAL));
        put(figures, Figure.HOST_IDLE_PERCENT, processors, at(ticks, TickType.IDLE));
    }

    private static long at(long[] ticks, TickType type) {
        return ticks[type.getIndex()];
    }

    private static void put(EnumMap<Figure, Double> figures, Figure figure, int processors, long ms) {
        figures.put(figure, (double) ms / processors);
    }
}
