package io.openmessaging.benchmark.load;

import java.util.Base64;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Chooses the key of each message. Each sending thread has its own; not thread-safe. */
@FunctionalInterface
public interface KeyDistributor {

    /** How many different keys there are, and how many random bytes each is made of: OMB's figures. */
    int KEY_COUNT = 10_000;

    /** See {@link #KEY_COUNT}. */
    int KEY_BYTES = 7;

    /** How much more frequent the frequent keys of {@link #zipf} are: the exponent that YCSB has made the usual one. */
    double ZIPF_EXPONENT = 0.99;

    /**
     * The key of the next message, or null for none.
     *
     * @param producer which of the thread's producers sends it, from 0
     */
    @Nullable
    String next(int producer);

    /** No keys. */
    static KeyDistributor none() {
        return producer -> null;
    }

    /**
     * All keys in turn, for each producer by itself: each sends every key. No two producers of a run keep step, so that all
     * together use as many keys as messages, up to the number of keys.
     *
     * @param producers the numbers, in the run, of those that the thread has
     */
    static KeyDistributor roundRobin(int... producers) {
        String[] keys = keys();
        Rounds rounds = Rounds.inTurn(producers, keys.length);
        return producer -> keys[rounds.next(producer)];
    }

    /**
     * Any key, with equal probability. OMB takes the clock's nanoseconds for that (hence the name RANDOM_NANO), which
     * on many machines advances in steps; a generator of random numbers chooses evenly everywhere.
     */
    static KeyDistributor random(long seed) {
        String[] keys = keys();
        RandomBits random = new RandomBits(seed);
        return producer -> keys[random.nextBelow(keys.length)];
    }

    /**
     * Any key, the k-th most frequent of them with a probability in proportion to {@code 1/k^}{@link #ZIPF_EXPONENT}: a
     * few keys come most of the time. Chosen by Vose's alias method, so that a key costs as much as any other.
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
