package io.openmessaging.benchmark.load;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keys with a Zipf distribution, see {@link KeyDistributor#zipf}. Each column of a table holds two keys and the share
 * of the first one: a random column and a random number determine the key. Not thread-safe.
 */
final class ZipfKeys implements KeyDistributor {

    private final String[] keys;
    private final RandomBits random;
    private final double[] ownPart;
    private final int[] other;

    /**
     * Creates a distributor of these keys.
     *
     * @param keys the most frequent one first
     */
    ZipfKeys(String[] keys, long seed) {
        this.keys = keys;
        this.random = new RandomBits(seed);
        this.ownPart = weights(keys.length);
        this.other = new int[keys.length];
        fillColumns();
    }

    /** Returns the frequencies of the keys, with mean 1. */
    private static double[] weights(int count) {
        double[] weights = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            weights[i] = Math.pow(i + 1, -ZIPF_EXPONENT);
            sum += weights[i];
        }
        for (int i = 0; i < count; i++) {
            weights[i] *= count / sum;
        }
        return weights;
    }

    /** Fills the columns: the excess of a frequent key over one column fills up the columns of rare keys. */
    private void fillColumns() {
        Deque<Integer> rare = new ArrayDeque<>();
        Deque<Integer> frequent = new ArrayDeque<>();
        for (int i = 0; i < ownPart.length; i++) {
            other[i] = i;
            (ownPart[i] < 1 ? rare : frequent).add(i);
        }
        while (!rare.isEmpty() && !frequent.isEmpty()) {
            int column = rare.remove();
            int donor = frequent.remove();
            other[column] = donor;
            ownPart[donor] -= 1 - ownPart[column];
            (ownPart[donor] < 1 ? rare : frequent).add(donor);
        }
        // The remaining columns differ from full ones only by rounding.
        rare.forEach(column -> ownPart[column] = 1);
        frequent.forEach(column -> ownPart[column] = 1);
    }

    @Override
    public String next(int producer) {
        int column = random.nextBelow(keys.length);
        return keys[random.nextUnit() < ownPart[column] ? column : other[column]];
    }
}
