package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many messages of a producer have not been answered. One thread sends, any thread answers: each side has its own
 * counter, so that neither slows the other down.
 */
final class Outstanding {

    private final AtomicLong answered = new AtomicLong();

    /** Of the thread that sends, and after it of the one that closes. */
    private long sent;

    private volatile boolean awaited;

    /** A message is about to be sent. */
    void sent() {
        sent++;
    }

    /** A message needs no answer any more. */
    void answered() {
        answered.incrementAndGet();
        if (awaited) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Called by the thread that sends, or after it. */
    long count() {
        return sent - answered.get();
    }

    /** Waits for the answers; returns whether all have come. */
    boolean awaitNone(Deadline deadline) throws InterruptedException {
        awaited = true;
        synchronized (this) {
            while (count() > 0) {
                if (deadline.hasPassed()) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, deadline.leftNs());
            }
        }
        return true;
    }
}
