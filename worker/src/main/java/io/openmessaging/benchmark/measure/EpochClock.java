package io.openmessaging.benchmark.measure;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A monotonic clock of nanoseconds since 1970: {@link System#nanoTime()} plus an offset that is fixed once per run, so
 * that stamps of different processes on synchronised hosts can be compared. Thread-safe.
 */
public final class EpochClock implements LongSupplier {

    private static final int OFFSET_SAMPLES = 64;
    private static final long NS_PER_MS = 1_000_000L;

    private final long offsetNs;

    /** Creates a clock whose offset is taken from the wall clock now. */
    public EpochClock() {
        this.offsetNs = offsetFromWallClockNs();
    }

    private EpochClock(long offsetNs) {
        this.offsetNs = offsetNs;
    }

    /**
     * Returns this clock shifted by a constant, so that it shows the time of another machine's clock. A reading takes
     * the same time.
     *
     * @param aheadNs how far that clock is ahead; below 0 if it is behind
     */
    public EpochClock shiftedBy(long aheadNs) {
        return new EpochClock(offsetNs + aheadNs);
    }

    @Override
    public long getAsLong() {
        return System.nanoTime() + offsetNs;
    }

    /** Returns a description of the source of times, for results. */
    public String description() {
        return "System.nanoTime() with an offset from the wall clock, fixed at the start of the run";
    }

    /**
     * Takes many readings and uses the one whose wall-clock read took the shortest time, since it has the smallest
     * error.
     */
    private static long offsetFromWallClockNs() {
        long bestWindowNs = Long.MAX_VALUE;
        long bestOffsetNs = 0;
        for (int i = 0; i < OFFSET_SAMPLES; i++) {
            long beforeNs = System.nanoTime();
            Instant wall = Instant.now();
            long afterNs = System.nanoTime();
            if (afterNs - beforeNs < bestWindowNs) {
                bestWindowNs = afterNs - beforeNs;
                long wallNs = wall.getEpochSecond() * 1000 * NS_PER_MS + wall.getNano();
                bestOffsetNs = wallNs - (beforeNs + (afterNs - beforeNs) / 2);
            }
        }
        return bestOffsetNs;
    }
}
