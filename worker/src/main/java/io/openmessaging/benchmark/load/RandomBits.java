package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.Counter;

/**
 * Random numbers for one sending thread: SplitMix64 of Steele, Lea and Flood, whose state is one number with cache lines
 * of its own, since it is written with each message. Not thread-safe.
 */
final class RandomBits {

    static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final int UNIT_SHIFT = 11;
    private static final double UNIT = 0x1p-53;

    private final Counter state = new Counter();

    RandomBits(long seed) {
        state.set(seed);
    }

    /** 64 random bits. */
    long next() {
        state.add(GOLDEN_GAMMA);
        return mixed(state.get());
    }

    /** The random number that a state gives. */
    static long mixed(long state) {
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A whole number from 0 to below the bound. */
    int nextBelow(int bound) {
        // The upper half of the bits, without the bias of a remainder that would matter here.
        return (int) ((next() >>> 32) * bound >>> 32);
    }

    /** A number from 0 to below 1. */
    double nextUnit() {
        return (next() >>> UNIT_SHIFT) * UNIT;
    }

    /** A positive number with an exponential distribution whose mean is 1. */
    double nextExponential() {
        // Of 1 - u, which is never 0.
        return -Math.log1p(-nextUnit());
    }
}
