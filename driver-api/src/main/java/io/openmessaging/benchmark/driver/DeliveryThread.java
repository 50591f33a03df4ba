package io.openmessaging.benchmark.driver;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread of one consumer whose listener {@linkplain MessageListener#mayBlock() may block}, for drivers whose
 * client calls several consumers on one thread, where each would wait for the others. Runs calls in the order of their
 * submission. Thread-safe.
 */
public final class DeliveryThread implements Executor, AutoCloseable {

    /**
     * Clients usually prefetch less than this; without a limit, a client that prefetches everything would fill the
     * memory.
     */
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

    /** Returns a thread for the consumer, or null if its listener can be called on any thread. */
    public static @Nullable DeliveryThread of(ConsumerSpec spec, DriverThreads threads) {
        return spec.listener().mayBlock() ? new DeliveryThread(threads, "consumer-" + spec.id()) : null;
    }

    /** Makes the client's thread wait, as it would if it called the listener itself. */
    private static void await(Runnable call, ThreadPoolExecutor thread) {
        try {
            while (!thread.isShutdown() && !thread.getQueue().offer(call, 1, TimeUnit.SECONDS)) {
                // Ends when the executor is shut down.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException(
                    "interrupted while a slow consumer is " + MAX_WAITING_CALLS + " messages behind", e);
        }
    }

    /** Queues the call; waits while the queue is full. Does nothing once this is closed. */
    @Override
    public void execute(Runnable call) {
        thread.execute(call);
    }

    /** Interrupts the current call and drops queued ones; returns when no call is running any more, or after 4 s. */
    @Override
    public void close() {
        thread.shutdownNow();
        DriverThreads.uninterrupted(() -> thread.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    }
}
