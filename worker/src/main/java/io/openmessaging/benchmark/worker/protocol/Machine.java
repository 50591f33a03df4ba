package io.openmessaging.benchmark.worker.protocol;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * A worker's process and the machine it is on.
 *
 * @param name of the worker, for people: {@code worker 1 (host)}
 * @param host name of the machine
 * @param os name, version and architecture
 * @param processors that the process may use
 * @param memoryMiB of the machine
 * @param jdk vendor and version
 * @param jvmOptions the process was started with
 * @param maxHeapMiB of the process
 */
public record Machine(
        String name,
        String host,
        String os,
        int processors,
        long memoryMiB,
        String jdk,
        List<String> jvmOptions,
        long maxHeapMiB) {

    private static final long BYTES_PER_MIB = 1 << 20;

    /**
     * This process and its machine.
     *
     * @param worker the index of the worker
     */
    public static Machine here(int worker) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        String host = hostName();
        return new Machine(
                "worker " + (worker + 1) + " (" + host + ")",
                host,
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() / BYTES_PER_MIB,
                System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Runtime.getRuntime().maxMemory() / BYTES_PER_MIB);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /** The same by the name that the coordinator has for it. */
    public Machine named(String other) {
        return new Machine(other, host, os, processors, memoryMiB, jdk, jvmOptions, maxHeapMiB);
    }
}
