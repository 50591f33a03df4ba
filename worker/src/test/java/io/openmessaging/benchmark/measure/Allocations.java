package io.openmessaging.benchmark.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.function.Supplier;

/** Tells what the calling thread allocates. */
public final class Allocations {

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private Allocations() {}

    /**
     * The bytes allocated by an action. What it uses for the first time counts as well, so a test that is not after
     * that does the same once before.
     *
     * @param action has a result, so that its work is not optimised away
     */
    public static long bytesOf(Supplier<?> action) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Object result = action.get();
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        Objects.requireNonNull(result);
        return bytes;
    }
}
