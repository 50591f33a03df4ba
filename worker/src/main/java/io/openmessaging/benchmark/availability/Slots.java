package io.openmessaging.benchmark.availability;

import java.util.concurrent.TimeUnit;

/** The slots into which time is divided. A slot's number is the number of 100 ms intervals since the epoch. */
public final class Slots {

    /** Length of a slot. */
    public static final long LENGTH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Length of a fine slot, the resolution of gaps between acknowledgements. */
    public static final long FINE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A message is on time if the system acknowledged it no later than this after its intended send time. */
    public static final long ON_TIME_NS = TimeUnit.SECONDS.toNanos(1);

    private Slots() {}

    /** Returns the slot of a time in epoch nanoseconds. */
    public static long of(long epochNs) {
        return Math.floorDiv(epochNs, LENGTH_NS);
    }

    /** Returns the fine slot of a time in epoch nanoseconds. */
    public static long fineOf(long epochNs) {
        return Math.floorDiv(epochNs, FINE_NS);
    }

    /** Returns the start of a slot, epoch nanoseconds. */
    public static long startNs(long slot) {
        return slot * LENGTH_NS;
    }
}
