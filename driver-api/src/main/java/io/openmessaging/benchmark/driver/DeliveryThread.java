package io.openmessaging.benchmark.driver;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread of one consumer whose listener {@linkplain MessageListener#mayBlock() may block}, for drivers whose client
 * calls several consumers on one thread: there, each would wait for the others. It takes calls in their order. Thread-safe.
 */
public final class DeliveryThread implements Executor, AutoCloseable {

    /** What a client asks for ahead is usually less; without a limit, one that asks for everything fills the memory. */
    private static final int MAX_WAITING_CALLS = 10_000;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(4);

    private final ThreadPoolExecutor thread;

    private DeliveryThread(DriverThreads threads, String name) {
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING_CALLS),
                threads.named(name),
                DeliveryThread::await);
    }

    /** The thread for a consumer, or null if it can be called on any. */
    public static @Nullable DeliveryThread of(ConsumerSpec spec, DriverThreads threads) {
        return spec.listener().mayBlock() ? new DeliveryThread(threads, "consumer-" + spec.id()) : null;
    }

    /** The client's thread waits, as it would if it called the listener itself. */
    private static void await(Runnable call, ThreadPoolExecutor thread) {
        try {
            while (!thread.isShutdown() && !thread.getQueue().offer(call, 1, TimeUnit.SECONDS)) {
                // Closing ends that.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException(
                    "interrupted while a slow consumer is " + MAX_WAITING_CALLS + " messages behind", e);
        }
    }

    /** Calls later; waits while too many calls wait. Does nothing once this is closed. */
    @Override
    public void execute(Runnable call) {
        thread.execute(call);
    }

    /** Interrupts the current call and drops those that wait; returns when there is none any more, or after 4 s. */
    @Override
    public void close() {
        thread.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            boolean unused = thread.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
