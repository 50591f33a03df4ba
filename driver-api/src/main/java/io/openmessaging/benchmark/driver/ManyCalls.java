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
 * Makes the same call for many things, several at a time: each call resolves names, reads key stores or waits for
 * servers, and there may be thousands. All or nothing: if one call fails, everything that the others have created is
 * discarded. For a driver's topics, producers and consumers; used once, by one thread.
 *
 * @param <T> type of what a call creates
 */
public final class ManyCalls<T> {

    /**
     * Number of parallel calls that achieves most of the possible gain, if a client library supports parallel calls.
     */
    public static final int SEVERAL = 8;

    private static final int DISCARD_LIMIT_S = 5;

    private final Queue<T> created = new ConcurrentLinkedQueue<>();
    private volatile boolean failed;
    private final String attempt;
    private final int atATime;
    private final Calls calls;
    private final BiConsumer<? super List<T>, ? super Exception> discard;

    /**
     * Creates a set of calls without starting it.
     *
     * @param calls calls of the driver: its threads run them, and its wording is used for failures
     * @param attempt what all calls together do, worded to follow "Could not "
     * @param atATime number of parallel calls
     * @param discard releases everything that was created before a failure, without waiting for long; receives the
     *     failure as well
     */
    public ManyCalls(Calls calls, String attempt, int atATime, BiConsumer<? super List<T>, ? super Exception> discard) {
        this.calls = calls;
        this.attempt = attempt;
        this.atATime = atATime;
        this.discard = discard;
    }

    /** A call whose result needs no release. */
    @FunctionalInterface
    public interface Action<S> {

        /** Blocks until the call is done. */
        void run(S spec) throws DriverException, InterruptedException;
    }

    /**
     * Makes {@link #SEVERAL} calls at a time whose results need no release.
     *
     * @param attempt what all calls together do, worded to follow "Could not "
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

    /** Discards each result by itself, whatever the failure. */
    public static <T> BiConsumer<List<T>, Exception> each(Consumer<? super T> discard) {
        return (created, reason) -> created.forEach(discard);
    }

    /** One of the calls; its exception has a complete message. */
    @FunctionalInterface
    public interface Step<S, T> {

        /** Blocks until the call is done. */
        T create(S spec) throws DriverException, InterruptedException;
    }

    /**
     * Makes a call for each specification, one after the other, on the calling thread, and returns the results in that
     * order. For systems that gain nothing from parallel calls. Also all or nothing.
     *
     * @param discard releases a result that was created before a failure, without waiting for long
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
     * Makes a call for each specification and returns the results in that order.
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

    /** Makes no call after a failure: its result would be discarded anyway. */
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
                // Skipped: a call later in the list had failed by then.
            } catch (CancellationException e) {
                throw new DriverException(
                        "Could not " + attempt + ": " + created.size() + " of " + futures.size() + " were done within "
                                + deadline.limit().toMillis() + " ms",
                        e);
            }
        }
        return all;
    }

    /** Waits for running calls so that nothing they create is missed. */
    private void discardAll(ExecutorService pool, Exception reason) {
        pool.shutdownNow();
        DriverThreads.uninterrupted(() -> {
            try {
                // A client that takes longer is abandoned: the original failure matters more.
                pool.awaitTermination(DISCARD_LIMIT_S, TimeUnit.SECONDS);
            } finally {
                discard.accept(List.copyOf(created), reason);
            }
        });
    }
}
