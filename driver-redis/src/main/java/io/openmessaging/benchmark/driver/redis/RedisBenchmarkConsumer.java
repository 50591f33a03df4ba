package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.redis.read.MessageSource;
import io.openmessaging.benchmark.driver.redis.read.ReadLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One consumer, with a read loop for each of its connections.
 *
 * @param name name of the consumer, for messages
 * @param loops read loops, not started yet
 */
record RedisBenchmarkConsumer(String name, List<ReadLoop> loops, Departure departure) implements BenchmarkConsumer {

    /** Covers a loop's longest wait for messages plus the delivery of those it holds, which takes microseconds. */
    private static final Duration GRACE = MessageSource.LONGEST_WAIT.plusSeconds(1);

    private static final Duration BREAK_OFF_LIMIT = Duration.ofSeconds(2);

    /** Cleanup in Redis after all read loops have ended. */
    @FunctionalInterface
    interface Departure {

        /** No cleanup. */
        Departure SILENT = () -> {};

        void complete() throws DriverException, InterruptedException;
    }

    void start() {
        loops.forEach(ReadLoop::start);
    }

    @Override
    public void pause() {
        loops.forEach(ReadLoop::pause);
    }

    @Override
    public void resume() {
        loops.forEach(ReadLoop::resume);
    }

    @Override
    public void close() throws DriverException {
        loops.forEach(ReadLoop::stop);
        CompletableFuture<Void> ended =
                CompletableFuture.allOf(loops.stream().map(ReadLoop::ended).toArray(CompletableFuture<?>[]::new));
        boolean interrupted = Thread.currentThread().isInterrupted();
        if (interrupted || !Deadline.in(GRACE).awaitEnd(ended)) {
            abort();
        }
        if (!Deadline.in(BREAK_OFF_LIMIT).awaitEnd(ended)) {
            throw new DriverException("Waited " + GRACE.plus(BREAK_OFF_LIMIT).toMillis() + " ms for " + name
                    + " to stop: it is still connecting or delivering");
        }
        try {
            if (!interrupted) {
                departure.complete();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Breaks off all loops, including any that were never started. */
    void abort() {
        loops.forEach(ReadLoop::breakOff);
    }
}
