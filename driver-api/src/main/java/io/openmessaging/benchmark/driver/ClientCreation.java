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
import java.util.function.Consumer;

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
    private volatile boolean failed;
    private final String kind;
    private final int atATime;
    private final ThreadFactory threads;
    private final Calls calls;
    private final BiConsumer<? super List<T>, ? super Exception> discard;

    /**
     * Not started yet.
     *
     * @param calls words a failure, as that of a call to create this kind
     * @param kind what is created, in the plural, for messages
     * @param atATime how many are created at a time
     * @param threads makes the creating threads
     * @param discard releases those that were created before something failed, without waiting for long; gets the
     *     failure as well
     */
    ClientCreation(
            Calls calls,
            String kind,
            int atATime,
            ThreadFactory threads,
            BiConsumer<? super List<T>, ? super Exception> discard) {
        this.calls = calls;
        this.kind = kind;
        this.atATime = atATime;
        this.threads = threads;
        this.discard = discard;
    }

    /** To discard each by itself, whatever the failure was. */
    public static <T> BiConsumer<List<T>, Exception> each(Consumer<? super T> discard) {
        return (created, reason) -> created.forEach(discard);
    }

    /** Creates one client, and words its own failure. */
    @FunctionalInterface
    public interface Step<S, T> {

        /** Blocks until it is created. */
        T create(S spec) throws DriverException, InterruptedException;
    }

    /**
     * Creates one for each specification, one after the other, on the calling thread, and returns them in that order. For
     * systems that gain nothing from several at a time. All or nothing, too.
     *
     * @param discard releases one that was created before something failed, without waiting for long
     */
    public static <S, T> List<T> inTurn(
            List<? extends S> specs, Step<? super S, ? extends T> step, Consumer<? super T> discard)
            throws DriverException, InterruptedException {
        List<T> created = new ArrayList<>();
        Runnable counter = CreationProgress.counter("clients", specs.size());
        boolean complete = false;
        try {
            for (S spec : specs) {
                created.add(step.create(spec));
                counter.run();
            }
            complete = true;
            return created;
        } finally {
            if (!complete) {
                created.forEach(discard);
            }
        }
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
            Runnable counter = CreationProgress.counter(kind, tasks.size());
            tasks.forEach(task -> kept.add(() -> create(task, counter)));
            return results(pool.invokeAll(kept, deadline.leftNs(), TimeUnit.NANOSECONDS), deadline);
        } catch (DriverException | InterruptedException | RuntimeException e) {
            discardAll(pool, e);
            throw e;
        } finally {
            pool.shutdownNow();
        }
    }

    /** After a failure no more is begun: the rest would be discarded anyway. */
    private T create(Callable<? extends T> task, Runnable counter) throws Exception {
        if (failed) {
            throw new CancellationException();
        }
        boolean complete = false;
        try {
            T one = task.call();
            created.add(one);
            counter.run();
            complete = true;
            return one;
        } finally {
            failed |= !complete;
        }
    }

    private List<T> results(List<Future<T>> futures, Deadline deadline) throws DriverException, InterruptedException {
        List<T> all = new ArrayList<>();
        for (Future<T> future : futures) {
            try {
                all.add(future.get());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof CancellationException)) {
                    throw calls.refused("create " + kind, e);
                }
                // Not begun: a later one in the list has failed before it.
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
