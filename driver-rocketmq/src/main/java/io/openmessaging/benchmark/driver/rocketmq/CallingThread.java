package io.openmessaging.benchmark.driver.rocketmq;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks on the thread that brings them. A producer's own pool has several threads, on which messages overtake each
 * other before they have reached the connection.
 */
final class CallingThread extends AbstractExecutorService {

    private volatile boolean shutDown;

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public void shutdown() {
        shutDown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutDown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shutDown;
    }

    @Override
    public boolean isTerminated() {
        return shutDown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shutDown;
    }
}
