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
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Makes the same call for many things, several at a time: each resolves names, reads key stores or waits for servers, and
 * there may be thousands. All or nothing: when one call fails, what the others have created is discarded. For a driver's
 * topics, producers and consumers; used once, by one thread.
 *
 * @param <T> what a call creates
 */
public final class ManyCalls<T> {

    /** As many calls at a time as give most of what there is to gain, where a client library takes several. */
    public static final int SEVERAL = 8;

    private static final int DISCARD_LIMIT_S = 5;

    private final Queue<T> created = new ConcurrentLinkedQueue<>();
    private volatile boolean failed;
    private final String attempt;
    private final int atATime;
    private final Calls calls;
    private final BiConsumer<? super List<T>, ? super Exception> discard;

    /**
     * Not started yet.
     *
     * @param calls of the driver, on whose threads it is done and which word a failure
     * @param attempt what all of them together do, so that "Could not " may stand before it
     * @param atATime how many calls are made at a time
     * @param discard releases those that were created before something failed, without waiting for long; gets the
     *     failure as well
     */
    public ManyCalls(Calls calls, String attempt, int atATime, BiConsumer<? super List<T>, ? super Exception> discard) {
        this.calls = calls;
        this.attempt = attempt;
        this.atATime = atATime;
        this.discard = discard;
    }

    /** A call that creates nothing to be released. */
    @FunctionalInterface
    public interface Action<S> {

        /** Blocks until it is done. */
        void run(S spec) throws DriverException, InterruptedException;
    }

    /**
     * Makes {@link #SEVERAL} calls at a time that create nothing to be released.
     *
     * @param attempt what all of them together do, so that "Could not " may stand before it
     * @throws DriverException the first failure in the order of the specifications, or if the deadline passes
     */
    public static <S> void forEach(
            Calls calls, String attempt, List<S> specs, Deadline deadline, Action<? super S> action)
            throws DriverException, InterruptedException {
        new ManyCalls<S>(calls, attempt, SEVERAL, (done, reason) -> {})
                .all(
                        specs,
                        spec -> {
                            action.run(spec);
                            return spec;
                        },
                        deadline);
    }

    /** To discard each by itself, whatever the failure was. */
    public static <T> BiConsumer<List<T>, Exception> each(Consumer<? super T> discard) {
        return (created, reason) -> created.forEach(discard);
    }

    /** One of the calls; words its own failure. */
    @FunctionalInterface
    public interface Step<S, T> {

        /** Blocks until it is done. */
        T create(S spec) throws DriverException, InterruptedException;
    }

    /**
     * Makes a call for each specification, one after the other, on the calling thread, and returns what they created in
     * that order. For systems that gain nothing from several at a time. All or nothing, too.
     *
     * @param discard releases one that was created before something failed, without waiting for long
     */
    public static <S, T> List<T> inTurn(
            List<? extends S> specs, Step<? super S, ? extends T> step, Consumer<? super T> discard)
            throws DriverException, InterruptedException {
        List<T> created = new ArrayList<>();
        boolean complete = false;
        try {
            for (S spec : specs) {
                created.add(step.create(spec));
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
     * Makes a call for each specification and returns what they created in that order.
     *
     * @throws DriverException the first failure in that order, or if the deadline passes
     */
    public <S> List<T> all(List<S> specs, Step<? super S, ? extends T> step, Deadline deadline)
            throws DriverException, InterruptedException {
        if (specs.isEmpty()) {
            return List.of();
        }
        List<Callable<T>> tasks = new ArrayList<>();
        specs.forEach(spec -> tasks.add(() -> create(spec, step)));
        ExecutorService pool = Executors.newFixedThreadPool(
                Math.min(atATime, tasks.size()), calls.threads().named(calls.name() + "-control"));
        try {
            return results(pool.invokeAll(tasks, deadline.leftNs(), TimeUnit.NANOSECONDS), deadline);
        } catch (DriverException | InterruptedException | RuntimeException e) {
            discardAll(pool, e);
            throw e;
        } finally {
            pool.shutdownNow();
        }
    }

    /** After a failure no more is begun: the rest would be discarded anyway. */
    private <S> T create(S spec, Step<? super S, ? extends T> step) throws DriverException, InterruptedException {
        if (failed) {
            throw new CancellationException();
        }
        boolean complete = false;
        try {
            T one = step.create(spec);
            created.add(one);
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
                    throw calls.refused(attempt, e);
                }
                // Not begun: a later one in the list has failed before it.
            } catch (CancellationException e) {
                throw new DriverException(
                        "Could not " + attempt + ": " + created.size() + " of " + futures.size() + " were done within "
                                + deadline.limit().toMillis() + " ms",
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
