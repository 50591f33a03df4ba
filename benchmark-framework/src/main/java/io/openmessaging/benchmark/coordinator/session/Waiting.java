package io.openmessaging.benchmark.coordinator.session;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tells what a wait is for: when it has lasted for a while, then from time to time, and at once when the user wants to stop.
 * Belongs to the run's thread.
 */
public final class Waiting {

    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(10);

    private final RunSession session;
    private long nextNs;
    private boolean stopTold;

    /** A wait that begins now. */
    public Waiting(RunSession session) {
        this.session = session;
        this.nextNs = session.time.nowNs() + EVERY_NS;
    }

    /** It is not over yet. */
    public void goesOn(Supplier<String> what) {
        boolean stopping = session.stop.requested();
        if (session.time.nowNs() >= nextNs || stopping && !stopTold) {
            stopTold = stopping;
            nextNs = session.time.nowNs() + EVERY_NS;
            session.listener.waits(what.get());
        }
    }
}
