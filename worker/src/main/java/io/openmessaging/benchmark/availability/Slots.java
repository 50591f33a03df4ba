package io.openmessaging.benchmark.availability;

import java.util.concurrent.TimeUnit;

/** The slots into which time is cut. A slot's number is that of 100 ms since the epoch. */
public final class Slots {

    /** How long a slot is. */
    public static final long LENGTH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A message is on time if the system has acknowledged it this long after it was to be sent, or sooner. */
    public static final long ON_TIME_NS = TimeUnit.SECONDS.toNanos(1);

    private Slots() {}

    /** The slot in which a time lies, epoch nanoseconds. */
    public static long of(long epochNs) {
        return Math.floorDiv(epochNs, LENGTH_NS);
    }

    /** When a slot begins, epoch nanoseconds. */
    public static long startNs(long slot) {
        return slot * LENGTH_NS;
    }

    /** Length of so many slots in seconds. */
    public static double seconds(long slots) {
        return slots * (LENGTH_NS / 1e9);
    }
}
