package io.openmessaging.benchmark.driver.rocketmq.client;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.THREADS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Shuts down clients on separate threads. A client may take some seconds, in which it only waits for its own threads,
 * and it swallows an interrupt. Thread-safe.
 */
public final class ClientRelease {

    private final DriverEvents events;
    private final Queue<CompletableFuture<Void>> begun = new ConcurrentLinkedQueue<>();

    public ClientRelease(DriverEvents events) {
        this.events = events;
    }

    /** Starts a shutdown. */
    public void begin(String client, AutoCloseable shutdown) {
        var unused = start(client, shutdown);
    }

    /**
     * Starts a shutdown and waits; returns whether it has ended, successfully or not. An interrupt does not end the
     * wait.
     */
    public boolean within(Deadline deadline, String client, AutoCloseable shutdown) {
        return deadline.awaitEnd(start(client, shutdown));
    }

    private CompletableFuture<Void> start(String client, AutoCloseable shutdown) {
        Executor thread =
                task -> THREADS.daemon(task, "rocketmq-release-" + client).start();
        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> run(client, shutdown), thread);
        begun.add(end);
        return end;
    }

    private void run(String client, AutoCloseable shutdown) {
        try {
            shutdown.close();
        } catch (Exception e) {
            events.clientError("client shutdown", new DriverException("Could not shut down " + client + ": " + e, e));
        }
    }

    /**
     * Waits for all shutdowns. An interrupt does not end the wait, which is short; the interrupt status is left set.
     */
    public void awaitAll(Deadline deadline) throws DriverException {
        long left = begun.stream().filter(end -> !deadline.awaitEnd(end)).count();
        if (left > 0) {
            throw deadline.missed(left + " RocketMQ clients to shut down", null);
        }
    }
}
