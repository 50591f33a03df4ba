package io.openmessaging.benchmark.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a message is due, precisely and without burning a core.
 *
 * <p>A parked thread wakes up late, by some 50 µs on Linux (its timer slack). So a wait is parked short of its end by
 * that much and the rest is spun, but spinning may take no more than {@link #MAX_SPIN_SHARE} of the thread's time: at
 * rates where every gap is shorter than the slack the thread parks, wakes up a little late, and sends what has become
 * due meanwhile. On a small machine the broker needs the core more than the schedule needs the last microseconds.
 *
 * <p>Not thread-safe: it belongs to one sending thread, which another may {@linkplain LockSupport#unpark wake} early.
 */
public final class Pacer {

    /** How late a parked thread wakes up, as a rule. */
    static final long PARK_SLACK_NS = TimeUnit.MICROSECONDS.toNanos(55);

    /** The longest park: a bound on how long anything else goes unnoticed. */
    static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The part of a thread's time that may be spent spinning. */
    static final double MAX_SPIN_SHARE = 0.08;

    /** The ways to let time pass; a test has others. */
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

    /** When the message was due for which the last call spun; before that call if it parked. */
    private long spunUntilNs = Long.MIN_VALUE;

    /** Waits with the calling thread. */
    public Pacer() {
        this(OF_THE_THREAD);
    }

    Pacer(Idle idle) {
        this.idle = idle;
    }

    /**
     * Lets some time pass, at most until the message is due as far as that can be told; the caller then looks at the
     * clock again.
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
     * Time earns a share of itself for spinning, and what followed a spin is taken as spent on it, up to when the
     * message was due: from then on the caller was sending, however long that took.
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
