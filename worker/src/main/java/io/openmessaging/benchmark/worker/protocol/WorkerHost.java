package io.openmessaging.benchmark.worker.protocol;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine that a process runs on.
 *
 * @param id unique id of a machine, equal for all of its processes; also equal for containers on one kernel, which
 *     share its processors
 * @param name name of the machine
 * @param addresses numeric addresses at which others may reach it
 * @param os name, version and architecture
 * @param memoryMiB total memory
 */
public record WorkerHost(String id, String name, List<String> addresses, String os, long memoryMiB) {

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final long BYTES_PER_MIB = 1 << 20;

    /** The machine of this process. */
    public static WorkerHost here() {
        String name = ownName();
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new WorkerHost(
                idOr(name),
                name,
                ownAddresses(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                system.getTotalMemorySize() / BYTES_PER_MIB);
    }

    /** Linux draws a new id at every boot. */
    private static String idOr(String name) {
        try {
            return Files.readString(BOOT_ID).strip();
        } catch (IOException e) {
            return name;
        }
    }

    /** Returns the name of the machine of this process. */
    public static String ownName() {
        return ownName(() -> InetAddress.getLocalHost().getHostName(), KERNEL_NAME);
    }

    /** Looks up the name of this machine. */
    @FunctionalInterface
    interface Lookup {
        String name() throws UnknownHostException;
    }

    /** Asks the kernel first, for the same name: a lookup takes 20 s where no name server answers. */
    static String ownName(Lookup lookup, Path kernelName) {
        try {
            return Files.readString(kernelName).strip();
        } catch (IOException e) {
            try {
                return lookup.name();
            } catch (UnknownHostException unresolved) {
                // The message starts with the name that could not be resolved.
                return String.valueOf(unresolved.getMessage()).replaceFirst(":.*", "");
            }
        }
    }

    private static List<String> ownAddresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress())
                    .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    /**
     * Returns whether an address belongs to this machine.
     *
     * @param address address of a server: a name with or without its domain, or a number; a port is optional
     */
    public boolean isAt(String address) {
        String asked = address.replaceFirst("^\\[(.*)](:\\d+)?$", "$1").replaceFirst("^([^:]*):\\d+$", "$1");
        return addresses.contains(asked) || sameHost(asked, name) || sameHost(name, asked);
    }

    private static boolean sameHost(String name, String longer) {
        return longer.equalsIgnoreCase(name) || longer.regionMatches(true, 0, name + ".", 0, name.length() + 1);
    }
}
