package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A driver's producer with a limit on its unconfirmed messages. It does not wait: the sending thread checks {@link
 * #isFull()} and skips it; the client's threads, which confirm or refuse messages, wake the sending thread once there
 * is room again.
 */
public final class WindowedProducer implements BenchmarkProducer {

    private final BenchmarkProducer producer;
    private final int limit;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable Thread sender;

    /** Creates a producer without messages in flight. */
    public WindowedProducer(BenchmarkProducer producer, int limit) {
        this.producer = producer;
        this.limit = limit;
    }

    /**
     * Returns the windows of a thread's producers, in their order; null if they have none.
     *
     * @param sender the sending thread
     */
    static WindowedProducer @Nullable [] of(List<LoadedProducer> producers, Thread sender) {
        WindowedProducer[] windows = new WindowedProducer[producers.size()];
        for (int i = 0; i < windows.length; i++) {
            if (!(producers.get(i).producer() instanceof WindowedProducer window)) {
                return null;
            }
            window.sender = sender;
            windows[i] = window;
        }
        return windows;
    }

    /**
     * Returns the index of the first producer with room, searching cyclically from an index; that index itself if all
     * are full.
     */
    static int firstWithRoom(WindowedProducer[] windows, int from) {
        int at = from;
        do {
            if (!windows[at].isFull()) {
                return at;
            }
            at = at + 1 == windows.length ? 0 : at + 1;
        } while (at != from);
        return from;
    }

    /** Returns whether the next message has to wait. */
    boolean isFull() {
        return inFlight.get() >= limit;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        inFlight.incrementAndGet();
        try {
            producer.send(key, payload, new Counted(callback));
        } catch (Throwable e) {
            // By the driver's contract there is no callback after an exception.
            completed();
            throw e;
        }
    }

    /**
     * Notes that a message was confirmed or refused. A sender that is not parked yet does not miss the wake-up: its
     * next park returns at once.
     */
    private void completed() {
        if (inFlight.getAndDecrement() >= limit) {
            LockSupport.unpark(sender);
        }
    }

    @Override
    public void close() throws DriverException {
        producer.close();
    }

    private final class Counted implements SendCallback {

        private final SendCallback callback;

        Counted(SendCallback callback) {
            this.callback = callback;
        }

        @Override
        public void acknowledged() {
            completed();
            callback.acknowledged();
        }

        @Override
        public void failed(Throwable cause) {
            completed();
            callback.failed(cause);
        }
    }
}
