package io.openmessaging.benchmark.driver.kafka;

/**
 * Makes the class loader of this package the one of the current thread for as long as this is open. Kafka looks up
 * classes by name (assignors, metric reporters, login modules) through the thread's class loader, which belongs to the
 * harness and does not see the driver's jars. Threads that a client starts meanwhile inherit it.
 */
final class DriverClassLoader implements AutoCloseable {

    private final Thread thread = Thread.currentThread();
    private final ClassLoader before = thread.getContextClassLoader();

    private DriverClassLoader() {}

    /** Until closed, on the same thread. */
    static DriverClassLoader enter() {
        DriverClassLoader scope = new DriverClassLoader();
        scope.thread.setContextClassLoader(DriverClassLoader.class.getClassLoader());
        return scope;
    }

    @Override
    public void close() {
        thread.setContextClassLoader(before);
    }
}
