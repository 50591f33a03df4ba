package io.openmessaging.benchmark.driver;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Threads that see the classes of a driver. Many clients look up classes by name through the class loader of the current
 * thread, and the harness' own threads do not see the driver's jars. Thread-safe.
 */
public final class DriverThreads {

    private final ClassLoader classLoader;

    private DriverThreads(ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    /**
     * The threads of a driver.
     *
     * @param driverClass any class of the driver
     */
    public static DriverThreads of(Class<?> driverClass) {
        return new DriverThreads(driverClass.getClassLoader());
    }

    /** A daemon thread, not started. */
    public Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(classLoader);
        return thread;
    }

    /** Daemon threads named {@code name-0}, {@code name-1} and so on. */
    public ThreadFactory named(String name) {
        AtomicInteger next = new AtomicInteger();
        return task -> daemon(task, name + "-" + next.getAndIncrement());
    }

    /** Lets the calling thread see the driver's classes during the action; threads that the action starts inherit that. */
    public <T> T within(Supplier<T> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            return action.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
