package io.openmessaging.benchmark.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.function.Supplier;

/** Measures allocations of the calling thread. */
public final class Allocations {

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private Allocations() {}

    /**
     * Returns the bytes allocated by an action. First-time allocations count as well, so a test that must exclude them
     * runs the action once before.
     *
     * @param action action with a result, so that its work is not optimised away
     */
    public static long bytesOf(Supplier<?> action) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Object result = action.get();
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        Objects.requireNonNull(result);
        return bytes;
    }
}
