package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Acknowledges each message a fixed time after it was sent, on a thread of its own. */
final class DelayingProducer implements BenchmarkProducer {

    /** How long the callback that is being called when a close gives up may take. */
    private static final long LAST_CALLBACK_LIMIT_MS = 1_000;

    private final BenchmarkProducer next;
    private final Duration delay;
    private final Duration timeout;
    private final Set<DelayedCallback> pending = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor thread;

    /**
     * In front of a producer that acknowledges at once.
     *
     * @param timeout how long {@link #close()} waits for acknowledgements
     */
    DelayingProducer(int id, BenchmarkProducer next, Duration delay, Duration timeout) {
        this.next = next;
        this.delay = delay;
        this.timeout = timeout;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread created = new Thread(task, "inmemory-acks-" + id);
            created.setDaemon(true);
            return created;
        });
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
        boolean interrupted = false;
        thread.shutdown();
        try {
            // Whether everything was acknowledged or the time is over: the rest is the same.
            var unused = thread.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        thread.shutdownNow();
        pending.forEach(DelayedCallback::giveUp);
        try {
            if (!thread.awaitTermination(LAST_CALLBACK_LIMIT_MS, TimeUnit.MILLISECONDS)) {
                throw new DriverException("Waited " + LAST_CALLBACK_LIMIT_MS + " ms for a send callback to return.");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            next.close();
        }
    }
}
