package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Asks Pulsar for many things, several at a time: one after the other would take a round trip each, all at once might be
 * more than a broker takes. All or nothing: when one fails, the others are discarded.
 *
 * @param <S> what describes a thing
 * @param <T> the thing
 */
final class ParallelCreation<S, T> {

    private static final int MAX_UNDER_WAY = 50;

    private static final int DISCARD_LIMIT_S = 2;

    private final Function<S, String> attempt;
    private final Function<S, CompletableFuture<T>> creation;
    private final Function<T, CompletableFuture<Void>> discard;
    private final Semaphore places = new Semaphore(MAX_UNDER_WAY);
    private volatile boolean failed;

    /**
     * Not started yet; to be used once.
     *
     * @param attempt what is tried, so that "Could not " may stand before it
     * @param creation begins to create one
     * @param discard begins to release one that was created before another one failed
     */
    ParallelCreation(
            Function<S, String> attempt,
            Function<S, CompletableFuture<T>> creation,
            Function<T, CompletableFuture<Void>> discard) {
        this.attempt = attempt;
        this.creation = creation;
        this.discard = discard;
    }

    /**
     * Creates one for each specification and returns them in the same order.
     *
     * @throws DriverException the first failure in that order, or if the deadline passes
     */
    List<T> all(List<S> specs, Deadline deadline) throws DriverException, InterruptedException {
        List<CompletableFuture<T>> started = new ArrayList<>();
        try {
            for (S spec : specs) {
                if (!places.tryAcquire(deadline.leftNs(), TimeUnit.NANOSECONDS)) {
                    throw new DriverException("Waited " + deadline.limit().toMillis() + " ms to " + attempt.apply(spec)
                            + ", after " + started.size() + " others");
                }
                if (failed) {
                    break;
                }
                started.add(begin(spec));
            }
            List<T> created = new ArrayList<>();
            for (int i = 0; i < started.size(); i++) {
                created.add(Answers.await(started.get(i), deadline, attempt.apply(specs.get(i))));
            }
            return created;
        } catch (DriverException | InterruptedException | RuntimeException e) {
            discardAll(started, e);
            throw e;
        }
    }

    private CompletableFuture<T> begin(S spec) {
        CompletableFuture<T> future;
        try {
            future = creation.apply(spec);
        } catch (RuntimeException e) {
            // The client throws what it finds wrong with a setting.
            future = CompletableFuture.failedFuture(e);
        }
        return future.whenComplete((created, error) -> {
            if (error != null) {
                failed = true;
            }
            places.release();
        });
    }

    /** Those that are still on their way are discarded once they are there, however late. */
    private void discardAll(List<CompletableFuture<T>> started, Exception reason) {
        CompletableFuture<?>[] discarded = started.stream()
                // What was not created needs no release, and the first failure is the one that counts.
                .map(future -> future.thenCompose(discard).handle((nothing, error) -> true))
                .toArray(CompletableFuture[]::new);
        boolean interrupted = Thread.interrupted();
        try {
            CompletableFuture.allOf(discarded).get(DISCARD_LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            reason.addSuppressed(e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
