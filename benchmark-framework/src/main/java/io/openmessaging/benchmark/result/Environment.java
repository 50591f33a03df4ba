package io.openmessaging.benchmark.result;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Where a run took place.
 *
 * @param benchmarkVersion of this program
 * @param host name of the machine
 * @param os name, version and architecture
 * @param processors that the harness may use
 * @param memoryMB of the machine, MiB
 * @param jdk vendor and version
 * @param jvmOptions the harness was started with
 * @param maxHeapMB of the harness, MiB
 * @param clock where the time stamps come from
 */
public record Environment(
        String benchmarkVersion,
        String host,
        String os,
        int processors,
        long memoryMB,
        String jdk,
        List<String> jvmOptions,
        long maxHeapMB,
        String clock) {

    private static final long BYTES_PER_MB = 1024 * 1024;

    /** This process and its machine. */
    public static Environment here(String benchmarkVersion, String clock) {
        com.sun.management.OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return new Environment(
                benchmarkVersion,
                hostName(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() / BYTES_PER_MB,
                System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Runtime.getRuntime().maxMemory() / BYTES_PER_MB,
                clock);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
