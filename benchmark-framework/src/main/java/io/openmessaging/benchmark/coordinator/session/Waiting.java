package io.openmessaging.benchmark.coordinator.session;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reports the reason of a wait: when it has lasted for a while, then from time to time, and at once when the user
 * wants to stop. Used by the run's thread only.
 */
public final class Waiting {

    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(10);

    private final RunSession session;
    private long nextNs;
    private boolean stopTold;

    /** Starts a wait. */
    public Waiting(RunSession session) {
        this.session = session;
        this.nextNs = session.time.nowNs() + EVERY_NS;
    }

    /** Reports the reason if that is due; called while the wait continues. */
    public void goesOn(Supplier<String> what) {
        boolean stopping = session.stop.requested();
        if (session.time.nowNs() >= nextNs || stopping && !stopTold) {
            stopTold = stopping;
            nextNs = session.time.nowNs() + EVERY_NS;
            session.listener.waits(what.get());
        }
    }
}
