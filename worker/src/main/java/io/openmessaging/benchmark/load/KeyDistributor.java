package io.openmessaging.benchmark.load;

import java.util.Base64;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Chooses the key of each message. Each sending thread has its own; not thread-safe. */
@FunctionalInterface
public interface KeyDistributor {

    /** Number of different keys, and number of random bytes in each: OMB's values. */
    int KEY_COUNT = 10_000;

    /** See {@link #KEY_COUNT}. */
    int KEY_BYTES = 7;

    /** Exponent of the distribution of {@link #zipf}; YCSB made this value customary. */
    double ZIPF_EXPONENT = 0.99;

    /**
     * Returns the key of the next message, or null for none.
     *
     * @param producer index of the producer among those of the thread, from 0
     */
    @Nullable
    String next(int producer);

    /** Returns a distributor that never gives a key. */
    static KeyDistributor none() {
        return producer -> null;
    }

    /**
     * Returns all keys in turn; each producer sends every key. No two producers of a run are in step, so together they
     * use as many different keys as messages, up to the number of keys.
     *
     * @param producers numbers, in the run, of the thread's producers
     */
    static KeyDistributor roundRobin(int... producers) {
        String[] keys = keys();
        Rounds rounds = Rounds.inTurn(producers, keys.length);
        return producer -> keys[rounds.next(producer)];
    }

    /**
     * Returns a random key, each with equal probability. OMB uses the clock's nanoseconds instead (hence the name
     * RANDOM_NANO), which on many machines advance in steps; a random number generator chooses evenly everywhere.
     */
    static KeyDistributor random(long seed) {
        String[] keys = keys();
        RandomBits random = new RandomBits(seed);
        return producer -> keys[random.nextBelow(keys.length)];
    }

    /**
     * Returns a random key. The k-th most frequent key has a probability proportional to {@code 1/k^}{@link
     * #ZIPF_EXPONENT}, so a few keys make up most messages. Uses Vose's alias method, so every choice takes the same
     * time.
     */
    static KeyDistributor zipf(long seed) {
        return new ZipfKeys(keys(), seed);
    }

    private static String[] keys() {
        Random random = new Random(KEY_COUNT);
        String[] keys = new String[KEY_COUNT];
        for (int i = 0; i < keys.length; i++) {
            byte[] bytes = new byte[KEY_BYTES];
            random.nextBytes(bytes);
            keys[i] = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }
        return keys;
    }
}
