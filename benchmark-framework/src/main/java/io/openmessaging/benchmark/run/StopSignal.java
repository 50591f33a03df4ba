package io.openmessaging.benchmark.run;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The user's wish to end early. Any thread may call {@link #request()}; only the run's thread calls the other methods.
 *
 * <p>A request wakes the run from its own waits. While the run is inside a call to the system that knows nothing of
 * this signal, between {@link #interruptFrom} and {@link #noInterrupts}, a request interrupts its thread.
 */
public final class StopSignal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean requested;
    private @Nullable Thread toInterrupt;
    private volatile String consequence = "the load ends, a run's figures are written";

    /** Sets what a request leads to, if that is not the end of a load. */
    public void leadsTo(String other) {
        consequence = other;
    }

    /** Returns what a request leads to, for the user. */
    public String consequence() {
        return consequence;
    }

    /** Requests a stop. */
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

    /** Returns whether a stop was requested. */
    public boolean requested() {
        lock.lock();
        try {
            return requested;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a time, or until a stop is requested; returns whether one is. */
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

    /** From now on, a request interrupts no thread; clears an interrupt that has already arrived. */
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
