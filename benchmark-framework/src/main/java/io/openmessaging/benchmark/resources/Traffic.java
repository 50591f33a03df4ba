package io.openmessaging.benchmark.resources;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.util.FileUtil;
import oshi.util.driver.linux.proc.DiskStats;
import oshi.util.driver.linux.proc.DiskStats.IoStat;

/**
 * What went to and from disks and networks of the machine since it started.
 *
 * <p>On Linux only the counters are read. Elsewhere the library reads everything that it knows of a disk or a network
 * each time; on Linux that asks the device manager and reads a dozen files, which would be most of what all sampling costs.
 */
abstract sealed class Traffic {

    /** Adds what is known to the figures. */
    abstract void read(EnumMap<Figure, Double> figures);

    /** Of the disks and networks that the machine has now; partitions and loopback are none. */
    static Traffic of(HardwareAbstractionLayer hardware) {
        return System.getProperty("os.name", "").startsWith("Linux")
                ? new OfLinux(hardware.getDiskStores(), hardware.getNetworkIFs())
                : new OfAnySystem(hardware.getDiskStores(), hardware.getNetworkIFs());
    }

    private static void put(EnumMap<Figure, Double> figures, long read, long written, long received, long sent) {
        figures.put(Figure.DISK_READ_BYTES_PER_SEC, (double) read);
        figures.put(Figure.DISK_WRITTEN_BYTES_PER_SEC, (double) written);
        figures.put(Figure.NETWORK_RECEIVED_BYTES_PER_SEC, (double) received);
        figures.put(Figure.NETWORK_SENT_BYTES_PER_SEC, (double) sent);
    }

    /** As the library reads it. */
    static final class OfAnySystem extends Traffic {

        private final List<HWDiskStore> disks;
        private final List<NetworkIF> networks;

        OfAnySystem(List<HWDiskStore> disks, List<NetworkIF> networks) {
            this.disks = disks;
            this.networks = networks;
        }

        @Override
        void read(EnumMap<Figure, Double> figures) {
            long read = 0;
            long written = 0;
            for (HWDiskStore disk : disks) {
                disk.updateAttributes();
                read += disk.getReadBytes();
                written += disk.getWriteBytes();
            }
            long received = 0;
            long sent = 0;
            for (NetworkIF network : networks) {
                network.updateAttributes();
                received += network.getBytesRecv();
                sent += network.getBytesSent();
            }
            put(figures, read, written, received, sent);
        }
    }

    /** The kernel's counters. */
    static final class OfLinux extends Traffic {

        /** The kernel counts in these, whatever the disk has. */
        private static final long BYTES_PER_SECTOR = 512;

        private static final String DEVICES = "/dev/";

        private record Counters(String received, String sent) {}

        private final List<String> disks = new ArrayList<>();
        private final List<Counters> networks = new ArrayList<>();

        OfLinux(List<HWDiskStore> disks, List<NetworkIF> networks) {
            for (HWDiskStore disk : disks) {
                String name = disk.getName();
                this.disks.add(name.startsWith(DEVICES) ? name.substring(DEVICES.length()) : name);
            }
            for (NetworkIF network : networks) {
                String folder = "/sys/class/net/" + network.getName() + "/statistics/";
                this.networks.add(new Counters(folder + "rx_bytes", folder + "tx_bytes"));
            }
        }

        @Override
        void read(EnumMap<Figure, Double> figures) {
            Map<String, Map<IoStat, Long>> counted = DiskStats.getDiskStats();
            long read = 0;
            long written = 0;
            for (String disk : disks) {
                Map<IoStat, Long> counts = counted.getOrDefault(disk, Map.of());
                read += BYTES_PER_SECTOR * counts.getOrDefault(IoStat.READS_SECTOR, 0L);
                written += BYTES_PER_SECTOR * counts.getOrDefault(IoStat.WRITES_SECTOR, 0L);
            }
            long received = 0;
            long sent = 0;
            for (Counters network : networks) {
                received += FileUtil.getUnsignedLongFromFile(network.received);
                sent += FileUtil.getUnsignedLongFromFile(network.sent);
            }
            put(figures, read, written, received, sent);
        }
    }
}
