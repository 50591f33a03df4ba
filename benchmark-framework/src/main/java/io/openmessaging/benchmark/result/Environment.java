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
 * @param memoryMiB of the machine
 * @param jdk vendor and version
 * @param jvmOptions the harness was started with
 * @param maxHeapMiB of the harness
 * @param clock where the time stamps come from
 */
public record Environment(
        String benchmarkVersion,
        String host,
        String os,
        int processors,
        long memoryMiB,
        String jdk,
        List<String> jvmOptions,
        long maxHeapMiB,
        String clock) {

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
                (long) (system.getTotalMemorySize() / Quantities.BYTES_PER_MIB),
                System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                (long) (Runtime.getRuntime().maxMemory() / Quantities.BYTES_PER_MIB),
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
