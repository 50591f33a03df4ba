package io.openmessaging.benchmark.driver;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a wait: of a control call, which may take {@link DriverContext#timeout()} over all of its steps. Immutable.
 *
 * @param endNs on the scale of {@link System#nanoTime()}
 * @param limit how long the wait may take altogether, for the sentence that says it was not enough
 */
public record Deadline(long endNs, Duration limit) {

    /** Begins to count now. */
    public static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos(), limit);
    }

    /** What is left, 0 once the end has passed. */
    public long leftNs() {
        return Math.max(0, endNs - System.nanoTime());
    }

    /** What is left in the form that clients' requests take; at least 1, since many take 0 for no limit at all. */
    public int leftMs() {
        return leftMs(Duration.ofMillis(Integer.MAX_VALUE));
    }

    /** As {@link #leftMs()}, but no more than this, itself at most {@link Integer#MAX_VALUE} ms. */
    public int leftMs(Duration most) {
        return (int) Math.max(1, Math.min(most.toMillis(), TimeUnit.NANOSECONDS.toMillis(leftNs())));
    }

    /** Whether nothing is left. */
    public boolean hasPassed() {
        return leftNs() == 0;
    }

    /** Sleeps for a while, but not beyond the end. */
    public void pause(Duration pause) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.min(pause.toNanos(), leftNs()));
    }

    /** Something that takes a look at the system to find out about. */
    @FunctionalInterface
    public interface Condition {

        /** Whether it is so by now. */
        boolean holds() throws DriverException, InterruptedException;
    }

    /**
     * Looks again and again until something is so.
     *
     * @param pause between two looks
     * @param awaited what is waited for, so that "Waited 100 ms for " may stand before it; asked once it was in vain
     * @throws DriverException of a look that fails; at the end the one of {@link #missed}, with the failure of the last
     *     look as its cause if there is one
     */
    public void await(Duration pause, Condition condition, Supplier<String> awaited)
            throws DriverException, InterruptedException {
        while (!isSo(condition, awaited)) {
            if (hasPassed()) {
                throw missed(awaited.get(), null);
            }
            pause(pause);
        }
    }

    private boolean isSo(Condition condition, Supplier<String> awaited) throws DriverException, InterruptedException {
        try {
            return condition.holds();
        } catch (DriverException e) {
            throw hasPassed() ? missed(awaited.get(), e) : e;
        }
    }

    /**
     * Waits for the end of a task, not hurried by an interrupt, which stays set.
     *
     * @return whether it has ended before the wait has
     * @throws java.util.concurrent.CompletionException if the task has failed
     */
    public boolean awaitEnd(CompletableFuture<?> task) {
        return task.thenApply(done -> true)
                .completeOnTimeout(false, leftNs(), TimeUnit.NANOSECONDS)
                .join();
    }

    /** Waits until a task has ended, well or not, or the wait has, or the thread is interrupted; the interrupt stays set. */
    public void awaitUnlessInterrupted(Future<?> task) {
        try {
            task.get(leftNs(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Whoever wants to know asks the task.
        }
    }

    /** The error to throw for a wait that was in vain. */
    public DriverException missed(String awaited, @Nullable Throwable cause) {
        return new DriverException("Waited " + limit.toMillis() + " ms for " + awaited, cause);
    }
}
