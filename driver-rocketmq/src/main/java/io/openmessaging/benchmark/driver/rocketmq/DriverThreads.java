package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ParallelCreation;
import java.util.function.Consumer;

/** Makes the driver's own threads. */
final class DriverThreads {

    private DriverThreads() {}

    /** Starts clients side by side. */
    static <T> ParallelCreation<T> creation(String kind, Consumer<? super T> discard) {
        return new ParallelCreation<>(
                kind,
                task -> daemon(task, "rocketmq-create"),
                Failures::refused,
                (created, reason) -> created.forEach(discard));
    }

    /** A daemon thread that sees the driver's classes, not started. */
    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(DriverThreads.class.getClassLoader());
        return thread;
    }
}
