package io.openmessaging.benchmark.driver.rocketmq;

/** Makes the driver's own threads. */
final class DriverThreads {

    private DriverThreads() {}

    /** A daemon thread that sees the driver's classes, not started. */
    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(DriverThreads.class.getClassLoader());
        return thread;
    }
}
