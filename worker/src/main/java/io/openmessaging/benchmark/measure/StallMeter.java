package io.openmessaging.benchmark.measure;

import java.util.concurrent.locks.LockSupport;

/**
 * How late this process comes to what it wants to do, whatever it is held up by: garbage collections and other safepoints,
 * processors that others use, a virtual machine that is not run. A thread that wants to wake once a millisecond, and does
 * nothing else, records by how much it overslept; the idea is jHiccup's (Gil Tene, azul.com/jhiccup).
 *
 * <p>Wake-ups are due at fixed times. One that comes 100 ms late stands for the hundred that were due meanwhile, which are
 * recorded as 100, 99, 98 … ms: so every sample is a moment of the run, as many as it has milliseconds, and what a
 * percentile says is for which part of the time somebody who wanted to do something had to wait for how long.
 *
 * <p>Concurrency: {@link #sample} by one thread at a time. The thread is a daemon and ends with {@link #close}. It used
 * 0.45 % of a core, and 0.6 % where others wanted it too: 4.5 to 6.7 µs a wake-up, nearly all of it the kernel's.
 */
public final class StallMeter implements AutoCloseable {

    /** The distance of two wake-ups. */
    static final long INTERVAL_NS = 1_000_000;

    /**
     * No stall, but what any sleep on Linux takes longer: 50 µs of timer slack (prctl(2), PR_SET_TIMERSLACK) and what it
     * takes to be scheduled. It counts as 0.
     */
    static final long SLACK_NS = 100_000;

    private final LatencyRecorder stalls;
    private LatencyCounts last = new LatencyCounts();
    private long dueNs;
    private volatile boolean closed;

    /** A meter without a thread: whoever has it says when the thread would wake. */
    StallMeter(long nowNs) {
        this(nowNs, new LatencyRecorder());
    }

    private StallMeter(long nowNs, LatencyRecorder stalls) {
        this.stalls = stalls;
        dueNs = nowNs + INTERVAL_NS;
    }

    /** Begins to measure. */
    public static StallMeter start() {
        StallMeter meter = new StallMeter(System.nanoTime());
        Thread thread = new Thread(meter::measure, "stalls");
        thread.setDaemon(true);
        thread.start();
        return meter;
    }

    /** Another one who samples what this one measures, from now on. To close it ends nothing. */
    public StallMeter shared() {
        StallMeter other = new StallMeter(System.nanoTime(), stalls);
        stalls.addTo(other.last);
        return other;
    }

    private void measure() {
        while (!closed) {
            LockSupport.parkNanos(this, wokenAt(System.nanoTime()));
        }
    }

    /** Records the wake-ups that have become due, and says in how many nanoseconds the next one is. */
    long wokenAt(long nowNs) {
        while (dueNs <= nowNs) {
            long lateNs = nowNs - dueNs;
            if (lateNs <= SLACK_NS) {
                stalls.recordZero();
            } else {
                stalls.record(lateNs);
            }
            dueNs += INTERVAL_NS;
        }
        return dueNs - nowNs;
    }

    /** The stalls since the last sample, or since the meter began: one for each millisecond, most of them 0. */
    public LatencySnapshot sample() {
        LatencyCounts now = new LatencyCounts();
        stalls.addTo(now);
        LatencySnapshot since = now.since(last);
        last = now;
        return since;
    }

    /** Ends the thread, at its next wake-up at the latest. */
    @Override
    public void close() {
        closed = true;
    }
}
