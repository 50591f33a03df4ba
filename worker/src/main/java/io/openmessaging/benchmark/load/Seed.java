package io.openmessaging.benchmark.load;

/**
 * The seed of all random choices of a run: equal seeds give equal choices. Every load of the run, every thread of a
 * load and every kind of choice derives its own part, so that no two of them are alike.
 *
 * @param value any number
 */
public record Seed(long value) {

    /**
     * Returns the seed of a part: the number at that position in the sequence of a generator that starts with this
     * seed.
     *
     * @param number from 0
     */
    public Seed part(int number) {
        return new Seed(RandomBits.mixed(value + (number + 1) * RandomBits.GOLDEN_GAMMA));
    }
}
