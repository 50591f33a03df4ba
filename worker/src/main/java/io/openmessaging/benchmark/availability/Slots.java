package io.openmessaging.benchmark.availability;

import java.util.concurrent.TimeUnit;

/** The slots into which time is cut. A slot's number is that of 100 ms since the epoch. */
public final class Slots {

    /** How long a slot is. */
    public static final long LENGTH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long a fine slot is, by which gaps between acknowledgements are known. */
    public static final long FINE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A message is on time if the system has acknowledged it this long after it was to be sent, or sooner. */
    public static final long ON_TIME_NS = TimeUnit.SECONDS.toNanos(1);

    private Slots() {}

    /** The slot in which a time lies, epoch nanoseconds. */
    public static long of(long epochNs) {
        return Math.floorDiv(epochNs, LENGTH_NS);
    }

    /** The fine slot in which a time lies, epoch nanoseconds. */
    public static long fineOf(long epochNs) {
        return Math.floorDiv(epochNs, FINE_NS);
    }

    /** When a slot begins, epoch nanoseconds. */
    public static long startNs(long slot) {
        return slot * LENGTH_NS;
    }
}
