package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.RocketMqCalls.THREADS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Shuts clients down on threads of their own. A client takes up to some seconds for it, in which it only waits for its
 * own threads, and swallows an interrupt. Thread-safe.
 */
final class ClientRelease {

    private final DriverEvents events;
    private final List<Thread> threads = new ArrayList<>();

    /** Nothing to shut down yet. */
    ClientRelease(DriverEvents events) {
        this.events = events;
    }

    /** Begins a shutdown and returns the thread that it runs on. */
    Thread begin(String client, AutoCloseable shutdown) {
        Thread thread = THREADS.daemon(() -> run(client, shutdown), "rocketmq-release-" + client);
        synchronized (this) {
            threads.add(thread);
        }
        thread.start();
        return thread;
    }

    private void run(String client, AutoCloseable shutdown) {
        try {
            shutdown.close();
        } catch (Exception e) {
            events.clientError("client shutdown", new DriverException("Could not shut down " + client + ": " + e, e));
        }
    }

    /** Waits for all; an interrupt does not end the wait, which is short, and is left set. */
    void awaitAll(Deadline deadline) throws DriverException {
        long left = begun().stream().filter(thread -> !joined(thread, deadline)).count();
        if (left > 0) {
            throw new DriverException(
                    "Waited " + deadline.limit().toMillis() + " ms for " + left + " RocketMQ clients to shut down");
        }
    }

    private synchronized List<Thread> begun() {
        return List.copyOf(threads);
    }

    /** Whether the thread ended before the deadline; an interrupt is left set. */
    static boolean joined(Thread thread, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (thread.isAlive() && !deadline.hasPassed()) {
                try {
                    TimeUnit.MILLISECONDS.timedJoin(thread, deadline.leftMs());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return !thread.isAlive();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
