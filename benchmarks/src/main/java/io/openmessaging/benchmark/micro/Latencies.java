package io.openmessaging.benchmark.micro;

import java.util.Random;

/** Latencies of a fast system: most within a factor of two, one in a hundred ten times as long. */
final class Latencies {

    private static final int COUNT = 4096;
    private static final long TYPICAL_NS = 40_000;
    private static final double SPREAD = 0.4;
    private static final double SLOW_SHARE = 0.01;
    private static final int SLOW_FACTOR = 10;

    private final long[] valuesNs = new long[COUNT];
    private int last;

    /** Draws the values, which are the same in every run. */
    Latencies() {
        Random random = new Random(COUNT);
        for (int i = 0; i < COUNT; i++) {
            double factor = Math.exp(SPREAD * random.nextGaussian());
            valuesNs[i] = (long) (TYPICAL_NS * factor * (random.nextDouble() < SLOW_SHARE ? SLOW_FACTOR : 1));
        }
    }

    /** Returns the next latency, at the cost of an array access. */
    long nextNs() {
        last = last + 1 & COUNT - 1;
        return valuesNs[last];
    }
}
