package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A driver's producer that has no more than so many messages unconfirmed at a time. It does not wait: its sending thread
 * asks whether it {@link #isFull()} and passes it over; the client's threads, which confirm or refuse messages, wake that
 * thread once there is room again.
 */
public final class WindowedProducer implements BenchmarkProducer {

    private final BenchmarkProducer producer;
    private final int limit;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable Thread sender;

    /** A producer with nothing on its way. */
    public WindowedProducer(BenchmarkProducer producer, int limit) {
        this.producer = producer;
        this.limit = limit;
    }

    /**
     * The windows of the producers that a thread sends for, in their order; null if they have none.
     *
     * @param sender that thread
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

    /** The first one from a place on, round about, that has room; the place itself if all are full. */
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

    /** Whether the next message has to wait. */
    boolean isFull() {
        return inFlight.get() >= limit;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        inFlight.incrementAndGet();
        try {
            producer.send(key, payload, new Counted(callback));
        } catch (Throwable e) {
            // By the driver's contract there will be no callback.
            completed();
            throw e;
        }
    }

    /** A message was confirmed or refused. A sender that has not gone to sleep yet finds out when it is about to. */
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
