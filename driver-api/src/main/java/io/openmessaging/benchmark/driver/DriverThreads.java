package io.openmessaging.benchmark.driver;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Threads that see the classes of a driver. Many clients look up classes by name through the context class loader of
 * the current thread, and the harness's own threads do not see the driver's jars. Thread-safe.
 */
public final class DriverThreads {

    private final ClassLoader classLoader;

    private DriverThreads(ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    /**
     * Returns the threads of a driver.
     *
     * @param driverClass any class of the driver
     */
    public static DriverThreads of(Class<?> driverClass) {
        return new DriverThreads(driverClass.getClassLoader());
    }

    /** Creates a daemon thread without starting it. */
    public Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(classLoader);
        return thread;
    }

    /** Creates daemon threads named {@code name-0}, {@code name-1} and so on. */
    public ThreadFactory named(String name) {
        AtomicInteger next = new AtomicInteger();
        return task -> daemon(task, name + "-" + next.getAndIncrement());
    }

    /** An action that an interrupt may end early. */
    @FunctionalInterface
    public interface Interruptible<E extends Exception> {

        /** Blocks until it is done. */
        void run() throws E, InterruptedException;
    }

    /**
     * Runs an action on the current thread as if that were not interrupted. An interrupt, whether it came before or ends
     * the action, stays set for the caller.
     */
    public static <E extends Exception> void uninterrupted(Interruptible<E> action) throws E {
        boolean interrupted = Thread.interrupted();
        try {
            action.run();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs the action with the driver's classes visible to the calling thread; threads that the action starts inherit
     * that.
     */
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
