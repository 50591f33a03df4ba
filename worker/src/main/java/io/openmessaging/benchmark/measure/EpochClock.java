package io.openmessaging.benchmark.measure;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Nanoseconds since 1970 that never go back: {@link System#nanoTime()} moved by an offset that is fixed once a run, so
 * that stamps of different processes on synchronised hosts can be compared. Thread-safe.
 */
public final class EpochClock implements LongSupplier {

    private static final int OFFSET_SAMPLES = 64;
    private static final long NS_PER_MS = 1_000_000L;

    private final long offsetNs;

    /** Fixes the offset from the wall clock, now. */
    public EpochClock() {
        this.offsetNs = offsetFromWallClockNs();
    }

    private EpochClock(long offsetNs) {
        this.offsetNs = offsetNs;
    }

    /**
     * This clock, as one that is ahead of it by so much shows it: its readings in the time of another machine. A reading
     * costs the same.
     *
     * @param aheadNs below 0 for one that is behind
     */
    public EpochClock shiftedBy(long aheadNs) {
        return new EpochClock(offsetNs + aheadNs);
    }

    @Override
    public long getAsLong() {
        return System.nanoTime() + offsetNs;
    }

    /** What a result says about where its times come from. */
    public String description() {
        return "System.nanoTime() with an offset from the wall clock, fixed at the start of the run";
    }

    /** Of many readings, the one in which the wall clock was read in the shortest time has the smallest error. */
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
