package io.openmessaging.benchmark.driver.redis;

import org.jspecify.annotations.Nullable;

/** Chooses partitions for one producer, which is the only one to use it. */
final class Partitioner {

    /** Knuth's multiplier: keys that differ in their last character only are far apart afterwards. */
    private static final int SPREAD = 0x9E3779B1;

    private final int partitions;
    private int next;

    /**
     * Begins somewhere.
     *
     * @param first where messages without a key begin, so that several producers do not go round in step
     */
    Partitioner(int partitions, int first) {
        this.partitions = partitions;
        this.next = first % partitions;
    }

    /** The same one for equal keys, whichever producer asks; one after another for null. */
    int partitionOf(@Nullable String key) {
        if (partitions == 1) {
            return 0;
        }
        if (key == null) {
            int partition = next;
            next = partition + 1 == partitions ? 0 : partition + 1;
            return partition;
        }
        int hash = key.hashCode() * SPREAD;
        return Integer.remainderUnsigned(hash ^ (hash >>> 16), partitions);
    }
}
