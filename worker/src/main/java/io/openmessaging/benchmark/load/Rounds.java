package io.openmessaging.benchmark.load;

import java.util.Arrays;

/**
 * The position of each producer of a sending thread in a list that all of them go through repeatedly. Each producer
 * has a position of its own: with one position for all, a thread with as many producers as the list has entries would
 * give each producer the same entry forever.
 *
 * <p>The positions of a thread lie side by side in one array, surrounded by memory that nobody writes (as around a
 * {@link io.openmessaging.benchmark.measure.Counter}). Not thread-safe.
 */
final class Rounds {

    private static final int PADDING = 128 / Integer.BYTES;

    /** Replaces the index at which a round ends, for rounds without end. */
    private static final int NEVER = -1;

    private final int length;

    /** For each producer, the index of its next entry, followed by the index at which its round ends. */
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
     * Creates rounds in which each producer takes the entries in the same order forever. Producers start at multiples
     * of the golden section of the list, which are spread out for any number of producers, whatever threads and
     * workers they are on. Producers of equal rates together take each entry once, or nearly so, before any entry is
     * repeated (T. van Ravenstein, <i>The three gap theorem</i>, 1988).
     *
     * @param numbers numbers of the producers in the run
     */
    static Rounds inTurn(int[] numbers, int length) {
        int[] firsts = Arrays.stream(numbers)
                .map(number -> (int) ((number * RandomBits.GOLDEN_GAMMA >>> 32) * length >>> 32))
                .toArray();
        return new Rounds(firsts, length, false, new RandomBits(0));
    }

    /**
     * Creates rounds in which each producer takes all entries in turn from a random start, and then again from another
     * random start. So producers are not in step with a second list, such as the keys, nor with each other, on
     * whatever thread or worker; producers at equal distances would be in step with a list in which every tenth entry
     * is large.
     *
     * @param seed determines the positions; each thread of each worker has its own
     */
    static Rounds turned(int producers, int length, long seed) {
        return new Rounds(new int[producers], length, true, new RandomBits(seed));
    }

    /** Returns the index of a producer's next entry and advances the producer. */
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
