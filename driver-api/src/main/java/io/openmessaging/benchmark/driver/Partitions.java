package io.openmessaging.benchmark.driver;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the partition of each message of one producer: by the key's hash, and in turn without a key. For systems in
 * which the driver chooses and not the client library: they all spread the same keys over partitions in the same way, so
 * that a skewed key distribution is equally skewed on each of them. Not thread-safe: it belongs to one producer.
 */
public final class Partitions {

    private final int count;
    private int next;

    /**
     * The partitions of one producer.
     *
     * @param count how many there are
     * @param first where messages without a key begin, so that producers do not all send to the same partition at the
     *     same time
     */
    public Partitions(int count, int first) {
        this.count = count;
        this.next = Math.floorMod(first, count);
    }

    /** The partition of the next message, from 0: the same one for equal keys, in every producer. */
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

    /** The partition of a key: that of Kafka's producer, which takes Murmur2 of the key's UTF-8 bytes. */
    public static int ofKey(String key, int count) {
        return (murmur2(key.getBytes(StandardCharsets.UTF_8)) & Integer.MAX_VALUE) % count;
    }

    /**
     * The partitions that one consumer reads if there are others beside it: every partition has a reader, and every
     * consumer has a partition.
     *
     * @param index of the consumer, from 0
     * @param consumers how many there are
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
