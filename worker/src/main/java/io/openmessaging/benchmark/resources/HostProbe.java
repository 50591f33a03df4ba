package io.openmessaging.benchmark.resources;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.util.FileUtil;
import oshi.util.driver.linux.proc.DiskStats;
import oshi.util.driver.linux.proc.DiskStats.IoStat;

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

    /**
     * Traffic of the machine's disks and networks since it started, without partitions and loopback.
     *
     * @param direct true if only the kernel's counters are read, as on Linux. Elsewhere the library reads all its data
     *     on a disk or a network each time; on Linux this queries the device manager and reads a dozen files, which
     *     would be most of the cost of all sampling.
     */
    record Traffic(List<HWDiskStore> disks, List<NetworkIF> networks, boolean direct) {

        /** The kernel's unit of counting, whatever the disk's sector size. */
        private static final long BYTES_PER_SECTOR = 512;

        /** Creates an instance for the disks and networks that the machine has now. */
        static Traffic of(HardwareAbstractionLayer hardware) {
            boolean linux = System.getProperty("os.name", "").startsWith("Linux");
            return new Traffic(hardware.getDiskStores(), hardware.getNetworkIFs(), linux);
        }

        /** Adds the known traffic to the figures. */
        void read(EnumMap<Figure, Double> figures) {
            long read = 0;
            long written = 0;
            Map<String, Map<IoStat, Long>> counted = direct ? DiskStats.getDiskStats() : Map.of();
            for (HWDiskStore disk : disks) {
                if (direct) {
                    String name = disk.getName().replaceFirst("^/dev/", "");
                    Map<IoStat, Long> counts = counted.getOrDefault(name, Map.of());
                    read += BYTES_PER_SECTOR * counts.getOrDefault(IoStat.READS_SECTOR, 0L);
                    written += BYTES_PER_SECTOR * counts.getOrDefault(IoStat.WRITES_SECTOR, 0L);
                } else {
                    disk.updateAttributes();
                    read += disk.getReadBytes();
                    written += disk.getWriteBytes();
                }
            }
            long received = 0;
            long sent = 0;
            for (NetworkIF network : networks) {
                if (direct) {
                    String folder = "/sys/class/net/" + network.getName() + "/statistics/";
                    received += FileUtil.getUnsignedLongFromFile(folder + "rx_bytes");
                    sent += FileUtil.getUnsignedLongFromFile(folder + "tx_bytes");
                } else {
                    network.updateAttributes();
                    received += network.getBytesRecv();
                    sent += network.getBytesSent();
                }
            }
            figures.put(Figure.DISK_READ_BYTES_PER_SEC, (double) read);
            figures.put(Figure.DISK_WRITTEN_BYTES_PER_SEC, (double) written);
            figures.put(Figure.NETWORK_RECEIVED_BYTES_PER_SEC, (double) received);
            figures.put(Figure.NETWORK_SENT_BYTES_PER_SEC, (double) sent);
        }
    }
}
