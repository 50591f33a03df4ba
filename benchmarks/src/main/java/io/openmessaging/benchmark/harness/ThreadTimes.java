package io.openmessaging.benchmark.harness;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import oshi.SystemInfo;
import oshi.software.os.OSProcess;
import oshi.software.os.OSThread;

/**
 * Processor time of the threads of a process until now. Some systems cut off a thread's name; on Linux 15 characters are
 * left.
 *
 * @param atNs when it was read
 * @param threads by id
 */
record ThreadTimes(long atNs, Map<Integer, Used> threads) {

    private static final double NS_PER_MS = 1e6;

    /** What one thread used. */
    private record Used(String name, long ms) {}

    /** Of a process that runs. */
    static ThreadTimes of(long pid) throws IOException {
        OSProcess process = new SystemInfo().getOperatingSystem().getProcess(Math.toIntExact(pid));
        if (process == null) {
            throw new IOException("process " + pid + " has ended");
        }
        Map<Integer, Used> threads = new HashMap<>();
        for (OSThread thread : process.getThreadDetails()) {
            threads.put(
                    thread.getThreadId(), new Used(thread.getName(), thread.getKernelTime() + thread.getUserTime()));
        }
        return new ThreadTimes(System.nanoTime(), threads);
    }

    /** How many processors the threads of these names have used on average since an earlier time. */
    double coresSince(ThreadTimes earlier, Predicate<String> names) {
        double ms = 0;
        for (Map.Entry<Integer, Used> each : threads.entrySet()) {
            Used now = each.getValue();
            Used before = earlier.threads.get(each.getKey());
            if (names.test(now.name)) {
                ms += now.ms - (before == null ? 0 : before.ms);
            }
        }
        return NS_PER_MS * ms / (atNs - earlier.atNs);
    }
}
