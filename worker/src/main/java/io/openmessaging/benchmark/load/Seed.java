package io.openmessaging.benchmark.load;

/**
 * What all random choices of a run follow from: the same number gives the same choices. Every load of the run, every one
 * of its threads, and every kind of choice has a part of its own, so that none of them is like another.
 *
 * @param value any number
 */
public record Seed(long value) {

    /**
     * The seed of a part: the number at that place in the sequence of a generator that begins with this one.
     *
     * @param number from 0
     */
    public Seed part(int number) {
        return new Seed(RandomBits.mixed(value + (number + 1) * RandomBits.GOLDEN_GAMMA));
    }
}
