package io.openmessaging.benchmark.driver.redis;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Calls again and again, on a thread of its own, until closed. */
final class FlushTimer implements AutoCloseable {

    private final ScheduledExecutorService executor;
    private final ScheduledFuture<?> ticks;

    FlushTimer(Duration interval, Runnable task) {
        this.executor = Executors.newSingleThreadScheduledExecutor(run -> {
            Thread thread = new Thread(run, "redis-flush");
            thread.setDaemon(true);
            return thread;
        });
        this.ticks = executor.scheduleAtFixedRate(task, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        ticks.cancel(false);
        executor.shutdownNow();
    }
}
