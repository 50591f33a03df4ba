package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.result.Calibration;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether anything else is running. One thread for each processor does nothing but read the clock, and so
 * takes all the available time: the time that this process does not get, something else has taken. The JVM's own
 * threads, which compile meanwhile, are therefore not mistaken for other processes.
 */
final class MachineWatch {

    /** From this part of the processors' time on, other processes are assumed to change the figures. */
    static final double BUSY_SHARE = 0.05;

    /**
     * From this load average a processor on, in the last minute, this minute will not be quiet either. The build with
     * which {@code bin/benchmark} may have started leaves less than that behind.
     */
    static final double OVERLOAD = 2;

    private MachineWatch() {}

    static Calibration.MachineState watch(Duration duration) throws InterruptedException {
        // Read first, because watching is itself a load.
        double average = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        HarnessUsage before = HarnessUsage.now();
        long longestGapNs = longestGapNs(before.processors(), duration);
        return judge(average < 0 ? null : average, HarnessUsage.now().since(before), longestGapNs);
    }

    private static long longestGapNs(int threads, Duration duration) throws InterruptedException {
        ExecutorService watchers = Executors.newFixedThreadPool(threads);
        try {
            ClockProbe probe = new ClockProbe(System::nanoTime);
            Callable<Long> watching = () -> probe.longestGapNs(duration.toNanos());
            long longestNs = 0;
            for (Future<Long> watched : watchers.invokeAll(Collections.nCopies(threads, watching))) {
                longestNs = Math.max(longestNs, watched.get());
            }
            return longestNs;
        } catch (ExecutionException e) {
            throw new IllegalStateException("Reading the clock failed", e.getCause());
        } finally {
            watchers.shutdownNow();
        }
    }

    /** A machine is busy if something else takes a part of it, or if it was overloaded a moment ago. */
    static Calibration.MachineState judge(@Nullable Double loadAverage, HarnessUsage used, long longestGapNs) {
        double othersShare = Math.max(0, 1 - used.cores() / used.processors());
        boolean overloaded = loadAverage != null && loadAverage > OVERLOAD * used.processors();
        return new Calibration.MachineState(
                loadAverage, othersShare, longestGapNs, overloaded || othersShare > BUSY_SHARE);
    }
}
