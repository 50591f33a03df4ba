package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.result.Calibration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Reads a clock repeatedly, to measure its resolution, and whether something else keeps the reading thread waiting.
 *
 * @param clock counts nanoseconds
 */
record ClockProbe(LongSupplier clock) {

    private static final int READINGS = 1_000_000;

    /** Measures the resolution of the clock, and the time that a reading takes. */
    Calibration.Clock resolution() {
        read(new long[READINGS]); // compiles it
        long[] readings = new long[READINGS];
        read(readings);
        return resolution(readings);
    }

    private void read(long[] readings) {
        for (int i = 0; i < readings.length; i++) {
            readings[i] = clock.getAsLong();
        }
    }

    static Calibration.Clock resolution(long[] readings) {
        long[] steps = new long[readings.length];
        int count = 0;
        for (int i = 1; i < readings.length; i++) {
            if (readings[i] > readings[i - 1]) {
                steps[count++] = readings[i] - readings[i - 1];
            }
        }
        if (count == 0) {
            throw new IllegalArgumentException("the clock does not advance");
        }
        Arrays.sort(steps, 0, count);
        double readNs = (double) (readings[readings.length - 1] - readings[0]) / (readings.length - 1);
        return new Calibration.Clock(steps[0], steps[count / 2], readNs);
    }

    /** Reads for some time, on the calling thread; returns the longest time between two readings. */
    long longestGapNs(long durationNs) {
        long startNs = clock.getAsLong();
        long lastNs = startNs;
        long longestNs = 0;
        while (lastNs - startNs < durationNs) {
            long nowNs = clock.getAsLong();
            longestNs = Math.max(longestNs, nowNs - lastNs);
            lastNs = nowNs;
        }
        return longestNs;
    }
}
