package io.openmessaging.benchmark.driver;

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
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * Creates many clients, several at a time: each resolves names, reads key stores or waits for servers, and there may be a
 * thousand. All or nothing: when one fails, the others are discarded. For a driver's {@link
 * DriverConnection#createProducers} and {@link DriverConnection#createConsumers}; used once, by one thread.
 *
 * @param <T> what is created
 */
public final class ClientCreation<T> {

    /** As many at a time as give most of what there is to gain, where a client library takes several. */
    public static final int SEVERAL = 8;

    private static final int DISCARD_LIMIT_S = 5;

    private final Queue<T> created = new ConcurrentLinkedQueue<>();
    private final String kind;
    private final int atATime;
    private final ThreadFactory threads;
    private final BiFunction<String, Throwable, DriverException> refusal;
    private final BiConsumer<? super List<T>, ? super Exception> discard;

    /**
     * Not started yet.
     *
     * @param kind what is created, in the plural, for messages
     * @param atATime how many are created at a time
     * @param threads makes the creating threads
     * @param refusal words a failure: gets what was attempted, such as {@code create consumers}, and the cause
     * @param discard releases those that were created before something failed, without waiting for long; gets the
     *     failure as well
     */
    public ClientCreation(
            String kind,
            int atATime,
            ThreadFactory threads,
            BiFunction<String, Throwable, DriverException> refusal,
            BiConsumer<? super List<T>, ? super Exception> discard) {
        this.kind = kind;
        this.atATime = atATime;
        this.threads = threads;
        this.refusal = refusal;
        this.discard = discard;
    }

    /**
     * Creates one for each task and returns them in the order of the tasks.
     *
     * @throws DriverException the first failure in that order, or if the deadline passes
     */
    public List<T> all(List<? extends Callable<? extends T>> tasks, Deadline deadline)
            throws DriverException, InterruptedException {
        if (tasks.isEmpty()) {
            return List.of();
        }
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(atATime, tasks.size()), threads);
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
                throw e.getCause() instanceof DriverException failure
                        ? failure
                        : refusal.apply("create " + kind, e.getCause() == null ? e : e.getCause());
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
}
