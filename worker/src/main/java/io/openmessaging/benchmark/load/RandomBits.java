package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.Counter;

/**
 * A random number generator for one sending thread: SplitMix64 by Steele, Lea and Flood. Its state is one number, on
 * cache lines of its own because it is written with each message. Not thread-safe.
 */
final class RandomBits {

    static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final int UNIT_SHIFT = 11;
    private static final double UNIT = 0x1p-53;

    private final Counter state = new Counter();

    RandomBits(long seed) {
        state.set(seed);
    }

    /** Returns 64 random bits. */
    long next() {
        state.add(GOLDEN_GAMMA);
        return mixed(state.get());
    }

    /** Returns the random number for a state. */
    static long mixed(long state) {
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns a random integer from 0 to below the bound. */
    int nextBelow(int bound) {
        // Uses the upper half of the bits; the bias of this method is too small to matter here.
        return (int) ((next() >>> 32) * bound >>> 32);
    }

    /** Returns a random number from 0 to below 1. */
    double nextUnit() {
        return (next() >>> UNIT_SHIFT) * UNIT;
    }

    /** Returns a random positive number with an exponential distribution of mean 1. */
    double nextExponential() {
        // The logarithm of 1 - u, which is never 0.
        return -Math.log1p(-nextUnit());
    }
}
