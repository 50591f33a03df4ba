package io.openmessaging.benchmark.driver.kafka;

import java.util.function.Supplier;

/**
 * The class loader that sees the driver's jars. Kafka looks up classes by name (assignors, metric reporters, login
 * modules, and some already when its own classes are initialized) through the class loader of the current thread, and
 * that of the harness's threads does not see them.
 */
final class DriverClassLoader {

    private DriverClassLoader() {}

    /** Runs the action with this class loader as the thread's; threads that it starts inherit it. */
    static <T> T within(Supplier<T> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(get());
        try {
            return action.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The same for an action without a result. */
    static void run(Runnable action) {
        within(() -> {
            action.run();
            return true;
        });
    }

    /** A daemon thread with this class loader, not started. */
    static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(get());
        return thread;
    }

    private static ClassLoader get() {
        return DriverClassLoader.class.getClassLoader();
    }
}
