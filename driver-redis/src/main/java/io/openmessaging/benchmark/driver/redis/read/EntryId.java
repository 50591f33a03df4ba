package io.openmessaging.benchmark.driver.redis.read;

/**
 * The ID of a stream entry.
 *
 * @param timeMs first number of the ID
 * @param sequence second number
 */
public record EntryId(long timeMs, long sequence) implements Comparable<EntryId> {

    /** Sorts before all others. */
    public static final EntryId NONE = new EntryId(0, 0);

    private static final int RADIX = 10;

    /** Parses an ID such as {@code 1700000000000-0} without creating a string, since this runs for each message. */
    public static EntryId parse(byte[] id) {
        long[] parts = new long[2];
        int part = 0;
        for (byte digit : id) {
            if (digit == '-') {
                part = 1;
            } else {
                parts[part] = parts[part] * RADIX + (digit - '0');
            }
        }
        return new EntryId(parts[0], parts[1]);
    }

    @Override
    public int compareTo(EntryId other) {
        int byTime = Long.compareUnsigned(timeMs, other.timeMs);
        return byTime == 0 ? Long.compareUnsigned(sequence, other.sequence) : byTime;
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(timeMs) + "-" + Long.toUnsignedString(sequence);
    }
}
