package io.openmessaging.benchmark.driver.rocketmq;

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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Creates many clients, several at a time, since the start of each waits for servers. All or nothing: when one fails, the
 * others are discarded.
 *
 * @param <T> what is created
 */
final class ParallelCreation<T> {

    private static final int MAX_THREADS = 8;
    private static final int DISCARD_LIMIT_S = 5;

    private final Queue<T> created = new ConcurrentLinkedQueue<>();
    private final String kind;
    private final Consumer<? super T> discard;

    /**
     * Not started yet.
     *
     * @param kind what is created, in the plural, for messages
     * @param discard releases one that was created before something failed, without waiting for long
     */
    ParallelCreation(String kind, Consumer<? super T> discard) {
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
        ExecutorService pool = Executors.newFixedThreadPool(
                Math.min(MAX_THREADS, tasks.size()), task -> DriverThreads.daemon(task, "rocketmq-create"));
        try {
            List<Callable<T>> kept = new ArrayList<>();
            tasks.forEach(task -> kept.add(() -> keep(task.call())));
            return results(pool.invokeAll(kept, deadline.leftNs(), TimeUnit.NANOSECONDS), deadline);
        } catch (DriverException | InterruptedException | RuntimeException e) {
            discardAll(pool);
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
                throw e.getCause() instanceof DriverException failure
                        ? failure
                        : Failures.refused("create " + kind, e.getCause() == null ? e : e.getCause());
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
    private void discardAll(ExecutorService pool) {
        pool.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            // A client that takes longer is left behind: the failure that led here is what counts.
            pool.awaitTermination(DISCARD_LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        created.forEach(discard);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
