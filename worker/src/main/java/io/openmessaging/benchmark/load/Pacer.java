package io.openmessaging.benchmark.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a message is due, precisely and without burning a core.
 *
 * <p>A parked thread wakes up late, by some 50 µs on Linux (its timer slack). So the thread parks until that long
 * before the end of the wait and spins for the rest, but spinning may take no more than {@link #MAX_SPIN_SHARE} of the
 * thread's time. At rates where every gap is shorter than the slack, the thread parks, wakes up a little late, and
 * sends the messages that have become due meanwhile. On a small machine the broker needs the core more than the
 * schedule needs the last microseconds.
 *
 * <p>Not thread-safe: it belongs to one sending thread, which another thread may {@linkplain LockSupport#unpark wake}
 * early.
 */
public final class Pacer {

    /** Typical delay with which a parked thread wakes up. */
    static final long PARK_SLACK_NS = TimeUnit.MICROSECONDS.toNanos(55);

    /** The longest park: an upper limit of the time for which the thread notices nothing else. */
    static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Largest part of the thread's time that it may spend spinning. */
    static final double MAX_SPIN_SHARE = 0.08;

    /** Ways to let time pass; replaced in tests. */
    interface Idle {
        /** Gives up the processor for about this long; may return early. */
        void park(long durationNs);

        /** Keeps the processor for a moment. */
        void spin();
    }

    private static final Idle OF_THE_THREAD = new Idle() {
        @Override
        public void park(long durationNs) {
            LockSupport.parkNanos(durationNs);
        }

        @Override
        public void spin() {
            Thread.onSpinWait();
        }
    };

    private static final long MAX_SPIN_BUDGET_NS = 4 * PARK_SLACK_NS;

    private final Idle idle;
    private long spinBudgetNs;
    private long lastCallNs = Long.MIN_VALUE;

    /** If the last call spun, the time at which its message was due; if it parked, the time of that call. */
    private long spunUntilNs = Long.MIN_VALUE;

    /** Creates a pacer that makes the calling thread wait. */
    public Pacer() {
        this(OF_THE_THREAD);
    }

    Pacer(Idle idle) {
        this.idle = idle;
    }

    /**
     * Lets some time pass, but aims not to wait beyond the time at which the message is due. The caller must then read
     * the clock again.
     *
     * @param nowNs the time
     * @param dueNs when the message is due, later than now
     */
    public void pause(long nowNs, long dueNs) {
        updateSpinBudget(nowNs);
        long remainingNs = dueNs - nowNs;
        if (remainingNs <= PARK_SLACK_NS && spinBudgetNs >= remainingNs) {
            spunUntilNs = dueNs;
            idle.spin();
            return;
        }
        spunUntilNs = nowNs;
        boolean canSpinTheRest = remainingNs > PARK_SLACK_NS && spinBudgetNs >= PARK_SLACK_NS;
        idle.park(Math.min(MAX_PARK_NS, canSpinTheRest ? remainingNs - PARK_SLACK_NS : remainingNs));
    }

    /**
     * Adds to the budget a share of the time that has passed, and subtracts the time after a spin as spent on it, but
     * only until the message was due: from then on the caller was sending, however long that took.
     */
    private void updateSpinBudget(long nowNs) {
        if (lastCallNs != Long.MIN_VALUE) {
            long passedNs = nowNs - lastCallNs;
            long changeNs = (long) (passedNs * MAX_SPIN_SHARE) - (Math.min(nowNs, spunUntilNs) - lastCallNs);
            spinBudgetNs = Math.min(MAX_SPIN_BUDGET_NS, spinBudgetNs + changeNs);
        }
        lastCallNs = nowNs;
    }
}
