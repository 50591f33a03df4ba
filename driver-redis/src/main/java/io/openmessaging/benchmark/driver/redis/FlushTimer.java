package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.RedisCalls.THREADS;

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
        this.executor = Executors.newSingleThreadScheduledExecutor(THREADS.named("redis-flush"));
        this.ticks = executor.scheduleAtFixedRate(task, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        ticks.cancel(false);
        executor.shutdownNow();
    }
}
