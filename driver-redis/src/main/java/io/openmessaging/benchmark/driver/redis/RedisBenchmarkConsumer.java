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
 * Reads for one consumer, with a loop for each connection that brings something for it.
 *
 * @param name of the consumer, for a sentence
 * @param loops not started yet
 */
record RedisBenchmarkConsumer(String name, List<ReadLoop> loops, Departure departure) implements BenchmarkConsumer {

    /** A loop waits for messages for a part of it, and delivers what it has got within microseconds. */
    private static final Duration GRACE = MessageSource.LONGEST_WAIT.plusSeconds(1);

    private static final Duration BREAK_OFF_LIMIT = Duration.ofSeconds(2);

    /** What is left to do in Redis when nothing is read any more. */
    @FunctionalInterface
    interface Departure {

        /** Nothing to be done. */
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
                    + " to stop: it still connects or delivers");
        }
        try {
            if (!interrupted) {
                departure.complete();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends loops that were perhaps never started. */
    void abort() {
        loops.forEach(ReadLoop::breakOff);
    }
}
