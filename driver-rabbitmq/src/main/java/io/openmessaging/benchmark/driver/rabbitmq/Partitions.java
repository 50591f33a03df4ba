package io.openmessaging.benchmark.driver.rabbitmq;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Chooses the partition of each message of one producer: by the key's hash, and in turn without one. One thread's. */
final class Partitions {

    private final int count;
    private int next;

    /** Producers begin with different partitions, so that they do not all go for the same one at the same time. */
    Partitions(int count) {
        this.count = count;
        this.next = ThreadLocalRandom.current().nextInt(count);
    }

    /** Equal keys give equal partitions, in every producer. */
    int of(@Nullable String key) {
        if (count == 1) {
            return 0;
        }
        if (key == null) {
            next = next + 1 == count ? 0 : next + 1;
            return next;
        }
        // The low bits of String's hash alone would put keys that differ in the last digit only side by side.
        int hash = key.hashCode() * 0x9E3779B9;
        return Math.floorMod(hash ^ hash >>> 16, count);
    }

    /**
     * The partitions that one consumer reads if there are others beside it: every partition has a reader, and every
     * consumer has a partition.
     *
     * @param index of the consumer, from 0
     * @param consumers how many there are
     */
    static int[] shareOf(int index, int consumers, int partitions) {
        if (consumers >= partitions) {
            return new int[] {index % partitions};
        }
        int[] share = new int[(partitions - index + consumers - 1) / consumers];
        for (int i = 0; i < share.length; i++) {
            share[i] = index + i * consumers;
        }
        return share;
    }
}
