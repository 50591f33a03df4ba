package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs calls of the clients on a thread of their own, since many of them ignore interrupts: so the control thread can be
 * interrupted and does not wait beyond its limit. What such a call returns after it was given up is discarded.
 */
final class BlockingCalls {

    private BlockingCalls() {}

    /**
     * Runs a call and waits for it.
     *
     * @param attempt what is attempted and on what, for messages, after "Could not" and "Waited to"
     * @param discard releases a result that came too late
     * @throws DriverException with the reason of the client or the broker
     */
    static <T> T run(String attempt, Deadline deadline, Callable<T> call, Consumer<? super T> discard)
            throws DriverException, InterruptedException {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = DriverThreads.create(() -> complete(result, call, discard), "rabbitmq-control");
        thread.start();
        try {
            return result.get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof DriverException known) {
                throw known;
            }
            throw Reasons.refused(attempt, cause);
        } catch (TimeoutException e) {
            throw new DriverException("Waited " + deadline.limit().toMillis() + " ms to " + attempt, e);
        } finally {
            if (result.cancel(false)) {
                thread.interrupt();
            }
        }
    }

    /** The same for a call without a result. */
    static void run(String attempt, Deadline deadline, Step step) throws DriverException, InterruptedException {
        Callable<Boolean> call = () -> {
            step.run();
            return true;
        };
        run(attempt, deadline, call, done -> {});
    }

    /** A call without a result. */
    @FunctionalInterface
    interface Step {

        void run() throws Exception;
    }

    // Whatever is thrown belongs to the thread that waits.
    private static <T> void complete(CompletableFuture<T> result, Callable<T> call, Consumer<? super T> discard) {
        try {
            T value = call.call();
            if (!result.complete(value)) {
                discard.accept(value);
            }
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }
}
