package io.openmessaging.benchmark.driver.rabbitmq;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads whose class loader is the driver's, in which the clients find theirs. */
final class DriverThreads {

    private DriverThreads() {}

    /** A thread that is not started. */
    static Thread create(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(DriverThreads.class.getClassLoader());
        return thread;
    }

    /** Threads whose names are numbered. */
    static ThreadFactory named(String name) {
        AtomicInteger next = new AtomicInteger();
        return task -> create(task, name + "-" + next.getAndIncrement());
    }
}
