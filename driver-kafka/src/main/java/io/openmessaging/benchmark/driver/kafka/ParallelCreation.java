package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Creates many clients, several at a time: each resolves names and reads key stores, and there may be a thousand. All
 * or nothing: when one fails, the others are discarded.
 *
 * @param <T> what is created
 */
final class ParallelCreation<T> {

    private static final int MAX_THREADS = 8;
    private static final int DISCARD_LIMIT_S = 5;

    private final Queue<T> created = new ConcurrentLinkedQueue<>();
    private final String kind;
    private final BiConsumer<? super List<T>, ? super Exception> discard;

    /**
     * Not started yet.
     *
     * @param kind what is created, in the plural, for messages
     * @param discard releases those that were created before something failed, without waiting for long
     */
    ParallelCreation(String kind, BiConsumer<? super List<T>, ? super Exception> discard) {
        this.kind = kind;
        this.discard = discard;
    }

    /**
     * Creates one for each task and returns them in the order of the tasks.
     *
     * @throws DriverException the first failure in that order, or if the deadline passes
     */
    List<T> all(List<? extends Callable<? extends T>> tasks, Deadline deadline)
            throws DriverException, InterruptedException {
        if (tasks.isEmpty()) {
            return List.of();
        }
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(MAX_THREADS, tasks.size()), threads());
        try {
            List<Callable<T>> kept = new ArrayList<>();
            tasks.forEach(task -> kept.add(() -> keep(task.call())));
            return results(pool.invokeAll(kept, deadline.leftNs(), TimeUnit.NANOSECONDS), deadline);
        } catch (DriverException | InterruptedException | RuntimeException e) {
            discardAll(pool, e);
            throw e;
        } finally {
            pool.shutdownNow();
        }
    }

    private T keep(T one) {
        created.add(one);
        return one;
    }

    private List<T> results(List<Future<T>> futures, Deadline deadline) throws DriverException, InterruptedException {
        List<T> all = new ArrayList<>();
        for (Future<T> future : futures) {
            try {
                all.add(future.get());
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw Answers.refused("create " + kind, cause);
            } catch (CancellationException e) {
                throw new DriverException(
                        "Waited " + deadline.limit().toMillis() + " ms for " + futures.size() + " " + kind
                                + " to be created: " + created.size() + " are",
                        e);
            }
        }
        return all;
    }

    /** Waits for tasks that still run, so that what they create is not overlooked. */
    private void discardAll(ExecutorService pool, Exception reason) {
        pool.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            // A client that takes longer is left behind: the failure that led here is what counts.
            pool.awaitTermination(DISCARD_LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        discard.accept(List.copyOf(created), reason);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private ThreadFactory threads() {
        AtomicInteger next = new AtomicInteger();
        return task -> DriverClassLoader.thread(task, "kafka-create-" + next.getAndIncrement());
    }
}
