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
 * Makes a driver's calls to its system: waits with a deadline and turns failures into sentences of the form
 * {@code Could not <attempt>: <reason>}. One object per driver; thread-safe.
 *
 * <p>Every {@code attempt} says what is attempted and on what, worded to follow "Could not ".
 *
 * @param name name of the system, in lower case, for names of threads
 * @param threads threads of the driver
 * @param reason returns the reason for a failure in the system's own words; receives no wrapping exceptions of futures
 */
public record Calls(String name, DriverThreads threads, Function<Throwable, String> reason) {

    /** A call that returns nothing. */
    @FunctionalInterface
    public interface Action {

        /** Blocks until the call is done. */
        void run() throws Exception;
    }

    /** Returns the exception to throw for an error of the client; returns a {@link DriverException} as it is. */
    public DriverException refused(String attempt, Throwable error) {
        Throwable cause = unwrapped(error);
        return cause instanceof DriverException ours
                ? ours
                : new DriverException("Could not " + attempt + ": " + reason.apply(cause), cause);
    }

    /** Returns the exception to throw for an answer that is too late. */
    public static DriverException late(String attempt, Deadline deadline, @Nullable Throwable cause) {
        return new DriverException(
                "Could not " + attempt + ": no answer within "
                        + deadline.limit().toMillis() + " ms",
                cause);
    }

    /** Returns the client's own error without the exceptions that futures wrap around it. */
    public static Throwable unwrapped(Throwable error) {
        Throwable inner = error;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** Returns the message of an error, or the name of its class if it has none. */
    public static String message(Throwable error) {
        return error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
    }

    /** Returns the cause that has no further cause. */
    public static Throwable innermost(Throwable error) {
        Throwable inner = error;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /**
     * Returns the messages of an error and its causes, each once. An error without a cause has its first suppressed
     * one: some clients try each address of a host and suppress their errors.
     *
     * @param message returns the message of one of them
     */
    public static String messages(Throwable error, Function<Throwable, String> message) {
        StringBuilder all = new StringBuilder();
        @Nullable Throwable next = error;
        while (next != null) {
            Throwable[] suppressed = next.getSuppressed();
            @Nullable
            Throwable cause = next.getCause() == null && suppressed.length > 0 ? suppressed[0] : next.getCause();
            String one = message.apply(next);
            boolean repeats = cause != null && one.equals(cause.toString());
            if (!repeats && all.indexOf(one) < 0) {
                all.append(all.length() == 0 ? "" : ": ").append(one);
            }
            next = cause;
        }
        return all.toString();
    }

    /**
     * Waits for an answer.
     *
     * @throws DriverException if it is refused, with the client's error as the cause, or does not arrive in time
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
     * Runs a client call on a thread of its own and waits for it: many calls ignore interrupts and have no timeout.
     * After the wait has ended without a result, the call is interrupted and aborted.
     *
     * @param late releases a result that arrives too late
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

    /** Runs a call that returns nothing. Only an interrupt can end it early. */
    public void run(String attempt, Deadline deadline, Action action) throws DriverException, InterruptedException {
        Callable<Boolean> call = () -> {
            action.run();
            return true;
        };
        run(attempt, deadline, call, done -> {}, () -> {});
    }

    /** Runs a call whose result needs no release. */
    public <T> T ask(String attempt, Deadline deadline, Callable<T> call) throws DriverException, InterruptedException {
        return run(attempt, deadline, call, late -> {}, () -> {});
    }

    // Catches everything: the waiting thread has to receive it.
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
