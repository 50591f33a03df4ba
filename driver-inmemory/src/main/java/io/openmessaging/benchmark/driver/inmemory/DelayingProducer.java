package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Acknowledges each message a fixed time after it was sent, on its own thread. */
final class DelayingProducer implements BenchmarkProducer {

    /** Limit for a callback that is in progress when {@link #close()} gives up. */
    private static final Duration LAST_CALLBACK_LIMIT = Duration.ofSeconds(1);

    private final BenchmarkProducer next;
    private final Duration delay;
    private final Duration timeout;
    private final Set<DelayedCallback> pending = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final ScheduledThreadPoolExecutor thread;

    /**
     * Wraps a producer that acknowledges at once.
     *
     * @param timeout how long {@link #close()} waits for acknowledgements
     */
    DelayingProducer(int id, BenchmarkProducer next, Duration delay, Duration timeout) {
        this.next = next;
        this.delay = delay;
        this.timeout = timeout;
        DriverThreads threads = DriverThreads.of(DelayingProducer.class);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> threads.daemon(task, "inmemory-acks-" + id)) {
            @Override
            protected void terminated() {
                ended.complete(null);
            }
        };
    }

    private final class DelayedCallback implements SendCallback, Runnable {

        private final SendCallback callback;

        DelayedCallback(SendCallback callback) {
            this.callback = callback;
        }

        @Override
        public void acknowledged() {
            pending.add(this);
            var unused = thread.schedule(this, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void failed(Throwable cause) {
            callback.failed(cause);
        }

        @Override
        public void run() {
            if (pending.remove(this)) {
                callback.acknowledged();
            }
        }

        void giveUp() {
            if (pending.remove(this)) {
                callback.failed(new DriverException("The producer was closed before the acknowledgement."));
            }
        }
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        next.send(key, payload, new DelayedCallback(callback));
    }

    @Override
    public void close() throws DriverException {
        thread.shutdown();
        // The steps below are the same whether everything was acknowledged or the timeout has passed.
        Deadline.in(timeout).awaitUnlessInterrupted(ended);
        thread.shutdownNow();
        pending.forEach(DelayedCallback::giveUp);
        Deadline last = Deadline.in(LAST_CALLBACK_LIMIT);
        try {
            if (!last.awaitEnd(ended)) {
                throw last.missed("a send callback to return.", null);
            }
        } finally {
            next.close();
        }
    }
}
