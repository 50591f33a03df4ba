package io.openmessaging.benchmark.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How many messages of a producer may be unconfirmed at a time. The sending thread asks and counts what it sends, the
 * client's threads count what is confirmed or refused, and wake the sending thread once there is room again.
 */
final class InFlightWindow {

    private final int limit;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** The sending thread, once it has found the window full. */
    private volatile @Nullable Thread waiting;

    InFlightWindow(int limit) {
        this.limit = limit;
    }

    /** Whether the next message has to wait; the calling thread is then woken when it need not any more. */
    boolean isFull() {
        if (inFlight.get() < limit) {
            return false;
        }
        waiting = Thread.currentThread();
        // Again: what was completed before the line above has woken nobody.
        return inFlight.get() >= limit;
    }

    /** A message is handed to the client. */
    void sent() {
        inFlight.incrementAndGet();
    }

    /** A message was confirmed or refused. */
    void completed() {
        if (inFlight.getAndDecrement() >= limit) {
            LockSupport.unpark(waiting);
        }
    }
}
