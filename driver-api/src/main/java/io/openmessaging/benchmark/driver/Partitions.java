package io.openmessaging.benchmark.driver;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the partition of each message of one producer: by the key's hash, or in turn without a key. For systems
 * where the driver chooses instead of the client library. All of these systems spread keys over partitions in the same
 * way, so that a skewed key distribution is equally skewed on each of them. Not thread-safe: an instance belongs to
 * one producer.
 */
public final class Partitions {

    private final int count;
    private int next;

    /**
     * Creates the chooser of one producer.
     *
     * @param count number of partitions
     * @param first partition of the first message without a key; differs between producers, so that they do not all
     *     send to the same partition at the same time
     */
    public Partitions(int count, int first) {
        this.count = count;
        this.next = Math.floorMod(first, count);
    }

    /** Returns the partition of the next message, from 0: the same one for equal keys, in every producer. */
    public int of(@Nullable String key) {
        if (count == 1) {
            return 0;
        }
        if (key != null) {
            return ofKey(key, count);
        }
        int partition = next;
        next = partition + 1 == count ? 0 : partition + 1;
        return partition;
    }

    /** Returns the partition of a key, computed as in Kafka's producer: Murmur2 of the key's UTF-8 bytes. */
    public static int ofKey(String key, int count) {
        return (murmur2(key.getBytes(StandardCharsets.UTF_8)) & Integer.MAX_VALUE) % count;
    }

    /**
     * Returns the partitions that one of several consumers reads: every partition has a reader, and every consumer has
     * a partition.
     *
     * @param index index of the consumer, from 0
     * @param consumers number of consumers
     */
    public static int[] shareOf(int index, int consumers, int partitions) {
        if (consumers >= partitions) {
            return new int[] {index % partitions};
        }
        int[] share = new int[(partitions - index + consumers - 1) / consumers];
        for (int i = 0; i < share.length; i++) {
            share[i] = index + i * consumers;
        }
        return share;
    }

    /** Austin Appleby's MurmurHash2 of 32 bits, with the seed that Kafka uses. */
    static int murmur2(byte[] data) {
        final int multiplier = 0x5bd1e995;
        int hash = 0x9747b28c ^ data.length;
        int words = data.length / Integer.BYTES;
        for (int word = 0; word < words; word++) {
            int mixed = littleEndian(data, word * Integer.BYTES, Integer.BYTES) * multiplier;
            mixed = (mixed ^ mixed >>> 24) * multiplier;
            hash = hash * multiplier ^ mixed;
        }
        int rest = data.length % Integer.BYTES;
        if (rest > 0) {
            hash = (hash ^ littleEndian(data, words * Integer.BYTES, rest)) * multiplier;
        }
        hash = (hash ^ hash >>> 13) * multiplier;
        return hash ^ hash >>> 15;
    }

    private static int littleEndian(byte[] data, int from, int bytes) {
        int value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << Byte.SIZE | data[from + i] & 0xFF;
        }
        return value;
    }
}
