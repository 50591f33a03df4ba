package io.openmessaging.benchmark.audit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.BitSetUtil;
import org.roaringbitmap.RoaringBitmap;

/**
 * A compressed set of sequence numbers from 0: runs of numbers take almost no memory, scattered numbers one bit each.
 *
 * <p>A {@link RoaringBitmap} holds 32-bit numbers, so there is one for each 2³² sequence numbers. Roaring's own set of
 * 64-bit numbers cannot add a page of bits at once, count a range or find a gap: adding a half-full page bit by bit
 * took 120 ns per message instead of 34, a page with runs 70 instead of 2, and an empty set takes three times the
 * memory.
 *
 * <p>Not thread-safe. It cannot be changed outside of this package, and equal sets have the same numbers.
 */
public final class SequenceSet {

    /**
     * Bits of a sequence number within a page, which {@link #addPage} adds at once. Small pages limit the memory of
     * many open ones.
     */
    static final int PAGE_BITS = 13;

    static final int PAGE_LENGTH = 1 << PAGE_BITS;

    private static final int ERA_BITS = 32;
    private static final long ERA_LENGTH = 1L << ERA_BITS;

    private final List<RoaringBitmap> eras = new ArrayList<>();

    private RoaringBitmap era(long sequence) {
        int index = (int) (sequence >>> ERA_BITS);
        while (eras.size() <= index) {
            eras.add(new RoaringBitmap());
        }
        return eras.get(index);
    }

    void add(long sequence) {
        era(sequence).add((int) sequence);
    }

    /** Removes a number that is in the set. */
    void remove(long sequence) {
        era(sequence).remove((int) sequence);
    }

    boolean contains(long sequence) {
        int index = (int) (sequence >>> ERA_BITS);
        return index < eras.size() && eras.get(index).contains((int) sequence);
    }

    /** Adds all numbers from {@code from} to below {@code to}. */
    void addRange(long from, long to) {
        for (long start = from; start < to; ) {
            long end = Math.min(to, (start | ERA_LENGTH - 1) + 1);
            long low = start & ERA_LENGTH - 1;
            era(start).add(low, low + (end - start));
            start = end;
        }
    }

    /**
     * Adds the numbers whose bits are set.
     *
     * @param page the numbers' upper bits: all of them lie within {@code page·2¹³ … page·2¹³ + 8191}
     * @param bits 128 words
     */
    void addPage(long page, long[] bits) {
        RoaringBitmap numbers =
                RoaringBitmap.addOffset(BitSetUtil.bitmapOf(bits), (page << PAGE_BITS) & ERA_LENGTH - 1);
        numbers.runOptimize();
        era(page << PAGE_BITS).or(numbers);
    }

    long cardinality() {
        long sum = 0;
        for (RoaringBitmap era : eras) {
            sum += era.getLongCardinality();
        }
        return sum;
    }

    /** Returns how many numbers are at or above the given one. */
    long countFrom(long sequence) {
        long sum = 0;
        int first = (int) (sequence >>> ERA_BITS);
        for (int i = first; i < eras.size(); i++) {
            long from = i == first ? sequence & ERA_LENGTH - 1 : 0;
            sum += eras.get(i).rangeCardinality(from, ERA_LENGTH);
        }
        return sum;
    }

    /** Returns how many numbers are from {@code from} to below {@code to}. */
    long countIn(long from, long to) {
        return countFrom(from) - countFrom(to);
    }

    /** Returns a new set of the numbers in both sets. */
    SequenceSet common(SequenceSet other) {
        SequenceSet common = new SequenceSet();
        for (int i = 0; i < Math.min(eras.size(), other.eras.size()); i++) {
            common.eras.add(RoaringBitmap.and(eras.get(i), other.eras.get(i)));
        }
        return common;
    }

    /** Adds all numbers of the other set, which does not change. */
    void addAll(SequenceSet other) {
        for (int i = 0; i < other.eras.size(); i++) {
            era((long) i << ERA_BITS).or(other.eras.get(i));
        }
    }

    /** Removes all numbers of the other set. */
    void removeAll(SequenceSet other) {
        for (int i = 0; i < Math.min(eras.size(), other.eras.size()); i++) {
            eras.get(i).andNot(other.eras.get(i));
        }
    }

    /** Returns the smallest number of the set at or above the given one, or {@link Long#MAX_VALUE} if there is none. */
    long nextPresent(long from) {
        for (int i = (int) (from >>> ERA_BITS); i < eras.size(); i++) {
            long eraStart = (long) i << ERA_BITS;
            long next = eras.get(i).nextValue((int) Math.max(0, from - eraStart));
            if (next >= 0) {
                return eraStart + next;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Returns the largest number of the set below the given one, or -1 if there is none. */
    long lastBelow(long end) {
        int last = (int) (end >>> ERA_BITS);
        for (int i = Math.min(last, eras.size() - 1); i >= 0; i--) {
            long upTo = i == last ? (end & ERA_LENGTH - 1) - 1 : ERA_LENGTH - 1;
            long previous = upTo < 0 ? -1 : eras.get(i).previousValue((int) upTo);
            if (previous >= 0) {
                return ((long) i << ERA_BITS) + previous;
            }
        }
        return -1;
    }

    /** Returns the smallest number at or above the given one that is not in the set. */
    long nextAbsent(long from) {
        long sequence = from;
        while (contains(sequence)) {
            RoaringBitmap era = era(sequence);
            long next = era.nextAbsentValue((int) sequence);
            long eraStart = sequence & -ERA_LENGTH;
            sequence = next < 0 ? eraStart + ERA_LENGTH : eraStart + next;
        }
        return sequence;
    }

    /** Returns an independent copy that takes the least memory. */
    SequenceSet copy() {
        SequenceSet copy = new SequenceSet();
        copy.addAll(this);
        copy.eras.forEach(RoaringBitmap::runOptimize);
        return copy;
    }

    /** Writes the set in the binary form that {@link #readFrom} reads: each bitmap in Roaring's portable format. */
    public void writeTo(DataOutput out) throws IOException {
        out.writeInt(eras.size());
        for (RoaringBitmap era : eras) {
            era.serialize(out);
        }
    }

    /** Reads what {@link #writeTo} has written; equal to the original. */
    public static SequenceSet readFrom(DataInput in) throws IOException {
        SequenceSet set = new SequenceSet();
        for (int left = in.readInt(); left > 0; left--) {
            RoaringBitmap era = new RoaringBitmap();
            era.deserialize(in);
            set.eras.add(era);
        }
        return set;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SequenceSet set
                && set.cardinality() == cardinality()
                && set.common(this).cardinality() == cardinality();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cardinality());
    }
}
