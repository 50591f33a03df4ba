package io.openmessaging.benchmark.availability;

/**
 * Buckets of latencies, four for each doubling from 8 µs to 137 s: a figure read from them is at most 25 % too high.
 * Smaller or larger latencies count in the first or the last bucket.
 */
public final class LatencyBuckets {

    private static final int FIRST_EXPONENT = 13;
    private static final int LAST_EXPONENT = 37;
    private static final int PARTS_BITS = 2;
    private static final int PARTS = 1 << PARTS_BITS;

    /** Number of buckets. */
    public static final int COUNT = (LAST_EXPONENT - FIRST_EXPONENT) * PARTS;

    private LatencyBuckets() {}

    /** Returns the bucket of a latency. */
    public static int of(long latencyNs) {
        if (latencyNs < 1L << FIRST_EXPONENT) {
            return 0;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(latencyNs);
        int part = (int) (latencyNs >>> exponent - PARTS_BITS) & PARTS - 1;
        return Math.min(COUNT - 1, (exponent - FIRST_EXPONENT) * PARTS + part);
    }

    /** Returns the lowest latency above those of a bucket. */
    static long endNs(int bucket) {
        int exponent = FIRST_EXPONENT + bucket / PARTS;
        return (1L << exponent) + (bucket % PARTS + 1L << exponent - PARTS_BITS);
    }

    /**
     * Returns a percentile: the latency that a part of the messages of some slots did not exceed.
     *
     * @param part from 0, for the shortest latency, to 1
     * @return nanoseconds; 0 without a message
     */
    public static long percentileNs(SlotSums latencies, long fromSlot, long toSlot, double part) {
        long[] sums = new long[COUNT];
        long all = 0;
        for (int bucket = 0; bucket < COUNT; bucket++) {
            sums[bucket] = latencies.sum(fromSlot, toSlot, bucket);
            all += sums[bucket];
        }
        long rank = Math.max(1, (long) Math.ceil(part * all));
        long seen = 0;
        for (int bucket = 0; all > 0 && bucket < COUNT; bucket++) {
            seen += sums[bucket];
            if (seen >= rank) {
                return endNs(bucket);
            }
        }
        return 0;
    }
}
