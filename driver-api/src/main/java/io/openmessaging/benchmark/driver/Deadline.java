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
 * The end of a wait, such as that of a control call, which may take {@link DriverContext#timeout()} over all of its
 * steps. Immutable.
 *
 * @param endNs on the scale of {@link System#nanoTime()}
 * @param limit total length of the wait, for the message of a timeout
 */
public record Deadline(long endNs, Duration limit) {

    /** Returns a deadline that is {@code limit} from now. */
    public static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos(), limit);
    }

    /** Returns the time left, 0 once the deadline has passed. */
    public long leftNs() {
        return Math.max(0, endNs - System.nanoTime());
    }

    /** Returns a limit in the form that clients take: at least 1, since many take 0 for no limit at all. */
    public static int millis(Duration limit) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, limit.toMillis()));
    }

    /** Returns the time left like {@link #millis}. */
    public int leftMs() {
        return millis(Duration.ofNanos(leftNs()));
    }

    /** Returns the time left like {@link #millis}, but at most {@code most}. */
    public int leftMs(Duration most) {
        return Math.min(millis(most), leftMs());
    }

    /** Returns whether no time is left. */
    public boolean hasPassed() {
        return leftNs() == 0;
    }

    /** Sleeps for the given time, but not past the deadline. */
    public void pause(Duration pause) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.min(pause.toNanos(), leftNs()));
    }

    /** A condition that needs a query to the system. */
    @FunctionalInterface
    public interface Condition {

        /** Returns whether the condition holds now. */
        boolean holds() throws DriverException, InterruptedException;
    }

    /**
     * Checks the condition repeatedly until it holds.
     *
     * @param pause time between two checks
     * @param awaited what is waited for, worded to follow "Waited 100 ms for "; requested only if the wait fails
     * @throws DriverException of a check that fails; after the deadline the one of {@link #missed}, with the failure
     *     of the last check as its cause if there is one
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
     * Waits for the end of a task. An interrupt does not shorten the wait and stays set.
     *
     * @return true if the task ended before the deadline
     * @throws java.util.concurrent.CompletionException if the task has failed
     */
    public boolean awaitEnd(CompletableFuture<?> task) {
        return task.thenApply(done -> true)
                .completeOnTimeout(false, leftNs(), TimeUnit.NANOSECONDS)
                .join();
    }

    /**
     * Waits until a task succeeds or fails, the deadline passes or the thread is interrupted; the interrupt stays set.
     */
    public void awaitUnlessInterrupted(Future<?> task) {
        try {
            task.get(leftNs(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The caller can get the outcome from the task.
        }
    }

    /** Returns the exception to throw for a wait that failed. */
    public DriverException missed(String awaited, @Nullable Throwable cause) {
        return new DriverException("Waited " + limit.toMillis() + " ms for " + awaited, cause);
    }
}
