package io.openmessaging.benchmark.load;

import java.util.Arrays;

/**
 * Where each producer of a sending thread is in a list that all of them go through, again and again. Each goes by
 * itself, whoever sends before or after it: with one place for all, a thread with as many producers as the list is long
 * would give each of them the same entry for ever.
 *
 * <p>The places of a thread lie side by side in one array, with memory around them that nobody writes (as around a {@link
 * io.openmessaging.benchmark.measure.Counter}). Not thread-safe.
 */
final class Rounds {

    private static final int PADDING = 128 / Integer.BYTES;

    /** In place of the index at which a round ends: it continues forever. */
    private static final int NEVER = -1;

    private final int length;

    /** For each producer the index of its next entry, and behind it the one at which its round ends. */
    private final int[] places;

    private final RandomBits random;

    private Rounds(int[] firsts, int length, boolean turned, RandomBits random) {
        this.length = length;
        this.random = random;
        this.places = new int[2 * PADDING + 2 * firsts.length];
        Arrays.fill(places, NEVER);
        for (int producer = 0; producer < firsts.length; producer++) {
            int at = PADDING + 2 * producer;
            places[at] = turned ? newRound(at) : firsts[producer];
        }
    }

    /**
     * Each producer takes the entries in the same order for ever. They begin at multiples of the golden section of the list,
     * which lie apart for any number of producers, whichever threads and workers they are on: those of equal rates
     * together take each entry once before any of them comes again, or nearly so (T. van Ravenstein, <i>The three gap theorem</i>,
     * 1988).
     *
     * @param numbers of the producers in the run
     */
    static Rounds inTurn(int[] numbers, int length) {
        int[] firsts = Arrays.stream(numbers)
                .map(number -> (int) ((number * RandomBits.GOLDEN_GAMMA >>> 32) * length >>> 32))
                .toArray();
        return new Rounds(firsts, length, false, new RandomBits(0));
    }

    /**
     * Each producer takes all entries in turn from any one on, and then all of them again from another one on: so that
     * they do not keep step with a second list, such as that of the keys, nor with one another, on whatever thread or
     * worker; even distances would keep step with a list in which every tenth entry is large.
     *
     * @param seed the same one gives the same places; each thread of each worker has its own
     */
    static Rounds turned(int producers, int length, long seed) {
        return new Rounds(new int[producers], length, true, new RandomBits(seed));
    }

    /** The index of a producer's next entry. */
    int next(int producer) {
        int at = PADDING + 2 * producer;
        int index = places[at];
        int following = index + 1 == length ? 0 : index + 1;
        places[at] = following == places[at + 1] ? newRound(at) : following;
        return index;
    }

    private int newRound(int at) {
        int first = random.nextBelow(length);
        places[at + 1] = length > 1 ? first : NEVER;
        return first;
    }
}
