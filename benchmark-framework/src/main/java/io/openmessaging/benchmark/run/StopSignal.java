package io.openmessaging.benchmark.run;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The user's wish to end early. {@link #request()} may be called from any thread, the rest is for the run's thread.
 *
 * <p>A request wakes the run from its own waits. While the run is inside a call to the system that knows nothing of this
 * signal, between {@link #interruptFrom} and {@link #noInterrupts}, its thread is interrupted.
 */
public final class StopSignal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean requested;
    private @Nullable Thread toInterrupt;

    /** Asks to stop. */
    public void request() {
        lock.lock();
        try {
            requested = true;
            changed.signalAll();
            if (toInterrupt != null) {
                toInterrupt.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether a stop was requested. */
    public boolean requested() {
        lock.lock();
        try {
            return requested;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a time, or until stopping is asked for; returns whether it is. */
    public boolean await(long durationNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = durationNs;
            while (!requested && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
            return requested;
        } finally {
            lock.unlock();
        }
    }

    /** From now on, a request interrupts the calling thread. */
    public void interruptFrom() throws InterruptedException {
        lock.lock();
        try {
            if (requested) {
                throw new InterruptedException("a stop was requested");
            }
            toInterrupt = Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** From now on, a request interrupts nobody; an interrupt that has already come is taken back. */
    public void noInterrupts() {
        lock.lock();
        try {
            toInterrupt = null;
            if (requested) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }
}
