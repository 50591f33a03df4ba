package io.openmessaging.benchmark.driver.inmemory;

import java.util.List;

/** The messages picked for one fault. */
final class Picks {

    private final long every;
    private final long[] listed;
    private int nextListed;

    /**
     * Picks one in so many, and those that are listed.
     *
     * @param every 0 for none
     */
    Picks(long every, List<Long> listed) {
        this.every = every;
        this.listed = listed.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** Whether a message is picked. Asked once for each index, in ascending order. */
    boolean contain(long index) {
        if (nextListed < listed.length && listed[nextListed] == index) {
            nextListed++;
            return true;
        }
        return every > 0 && (index + 1) % every == 0;
    }
}
