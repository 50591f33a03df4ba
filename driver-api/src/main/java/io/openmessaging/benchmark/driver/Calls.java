package io.openmessaging.benchmark.driver;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a driver asks of its system: waits with a deadline, and failures as sentences that read {@code Could not <attempt>:
 * <reason>}. One object for each driver; thread-safe.
 *
 * <p>Everywhere, {@code attempt} says what is attempted and on what, so that "Could not " may stand before it.
 *
 * @param name of the system, in lower case, for names of threads
 * @param threads of the driver
 * @param reason says in the system's own words why something has failed; is given no wrapping exceptions of futures
 */
public record Calls(String name, DriverThreads threads, Function<Throwable, String> reason) {

    /** A call without a result. */
    @FunctionalInterface
    public interface Action {

        /** Blocks until it is done. */
        void run() throws Exception;
    }

    /** The error to throw for one of the client's; a {@link DriverException} is left as it is. */
    public DriverException refused(String attempt, Throwable error) {
        Throwable cause = unwrapped(error);
        return cause instanceof DriverException ours
                ? ours
                : new DriverException("Could not " + attempt + ": " + reason.apply(cause), cause);
    }

    /** The error to throw for an answer that has not come in time. */
    public static DriverException late(String attempt, Deadline deadline, @Nullable Throwable cause) {
        return new DriverException(
                "Could not " + attempt + ": no answer within "
                        + deadline.limit().toMillis() + " ms",
                cause);
    }

    /** What a client has failed with, without the exceptions that futures wrap it into. */
    public static Throwable unwrapped(Throwable error) {
        Throwable inner = error;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /**
     * Waits for an answer.
     *
     * @throws DriverException if it is refused, with the client's error as the cause, or does not come in time
     */
    public <T extends @Nullable Object> T await(String attempt, Deadline deadline, Future<T> answer)
            throws DriverException, InterruptedException {
        try {
            return answer.get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw refused(attempt, e);
        } catch (TimeoutException e) {
            throw late(attempt, deadline, e);
        }
    }

    /**
     * Runs a call of the client on a thread of its own and waits for it: many ignore interrupts and know no limit. A call
     * that nobody waits for any more is interrupted and aborted.
     *
     * @param late releases a result that came too late
     * @param abort makes the call fail soon
     */
    public <T> T run(String attempt, Deadline deadline, Callable<T> call, Consumer<? super T> late, Runnable abort)
            throws DriverException, InterruptedException {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = threads.daemon(() -> complete(result, call, late), name + "-control");
        thread.start();
        try {
            return await(attempt, deadline, result);
        } finally {
            if (result.cancel(false)) {
                thread.interrupt();
                abort.run();
            }
        }
    }

    /** The same for a call without a result. An interrupt is all that can be done to end it early. */
    public void run(String attempt, Deadline deadline, Action action) throws DriverException, InterruptedException {
        Callable<Boolean> call = () -> {
            action.run();
            return true;
        };
        run(attempt, deadline, call, done -> {}, () -> {});
    }

    /** The same for a call whose result needs no release. */
    public <T> T ask(String attempt, Deadline deadline, Callable<T> call) throws DriverException, InterruptedException {
        return run(attempt, deadline, call, late -> {}, () -> {});
    }

    // Whatever is thrown belongs to the thread that waits.
    private static <T> void complete(CompletableFuture<T> result, Callable<T> call, Consumer<? super T> late) {
        try {
            T value = call.call();
            if (!result.complete(value)) {
                late.accept(value);
            }
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }
}
