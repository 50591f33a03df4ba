package io.openmessaging.benchmark.availability;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** Counts of several kinds in consecutive slots. Immutable. */
public final class SlotCounts {

    /** The most that a run can have: six days of slots with some hundred kinds. */
    private static final int MAX_COUNTS = 1 << 29;

    private final long firstSlot;
    private final int kinds;
    private final int[] counts;

    /**
     * Creates counts from an array ordered by slot and, within each slot, by kind.
     *
     * @param firstSlot the slot of the first counts
     * @param counts the array, which is not copied and must not be changed afterwards
     */
    SlotCounts(long firstSlot, int kinds, int[] counts) {
        this.firstSlot = firstSlot;
        this.kinds = kinds;
        this.counts = counts;
    }

    /** Returns counts without any slot. */
    public static SlotCounts none(int kinds) {
        return new SlotCounts(0, kinds, new int[0]);
    }

    /** Returns the first slot that has counts. */
    public long firstSlot() {
        return firstSlot;
    }

    /** Returns the slot after the last one that has counts. */
    public long endSlot() {
        return firstSlot + counts.length / kinds;
    }

    /** Returns a count; 0 if nothing was counted. */
    public int count(long slot, int kind) {
        return slot < firstSlot || slot >= endSlot() ? 0 : counts[(int) (slot - firstSlot) * kinds + kind];
    }

    /** Returns the sum of a count over a range of slots; the end is exclusive. */
    public long sum(long fromSlot, long toSlot, int kind) {
        long sum = 0;
        for (long slot = Math.max(fromSlot, firstSlot); slot < Math.min(toSlot, endSlot()); slot++) {
            sum += count(slot, kind);
        }
        return sum;
    }

    /** Returns the sum, slot by slot; both must have the same kinds. */
    public SlotCounts plus(SlotCounts other) {
        if (counts.length == 0 || other.counts.length == 0) {
            return counts.length == 0 ? other : this;
        }
        long first = Math.min(firstSlot, other.firstSlot);
        int[] sums = new int[(int) (Math.max(endSlot(), other.endSlot()) - first) * kinds];
        addTo(sums, first);
        other.addTo(sums, first);
        return new SlotCounts(first, kinds, sums);
    }

    private void addTo(int[] sums, long first) {
        int offset = (int) (firstSlot - first) * kinds;
        for (int i = 0; i < counts.length; i++) {
            sums[offset + i] += counts[i];
        }
    }

    /**
     * Writes the counts in the binary form that {@link #readFrom} reads. Its variable-length numbers suit counts that
     * are mostly small or 0.
     */
    public void writeTo(DataOutput out) throws IOException {
        out.writeLong(firstSlot);
        out.writeInt(kinds);
        out.writeInt(counts.length);
        for (int count : counts) {
            int left = count;
            while (left > 0x7f) {
                out.writeByte(left | 0x80);
                left >>>= 7;
            }
            out.writeByte(left);
        }
    }

    /** Reads what {@link #writeTo} has written; equal to the original. */
    public static SlotCounts readFrom(DataInput in) throws IOException {
        long firstSlot = in.readLong();
        int kinds = in.readInt();
        int length = in.readInt();
        if (kinds < 1 || length < 0 || length > MAX_COUNTS || length % kinds != 0) {
            throw new IOException(length + " counts of " + kinds + " kinds");
        }
        // Grown as counts arrive: allocates no memory for a length that is only claimed.
        int[] counts = new int[Math.min(length, 1 << 16)];
        for (int i = 0; i < length; i++) {
            if (i == counts.length) {
                counts = Arrays.copyOf(counts, Math.min(length, 2 * i));
            }
            counts[i] = readCount(in);
        }
        return new SlotCounts(firstSlot, kinds, counts);
    }

    private static int readCount(DataInput in) throws IOException {
        int count = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            int part = in.readByte();
            count |= (part & 0x7f) << shift;
            if (part >= 0) {
                return count;
            }
        }
        throw new IOException("a count of more than 32 bits");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SlotCounts that
                && that.firstSlot == firstSlot
                && that.kinds == kinds
                && Arrays.equals(that.counts, counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts) + Long.hashCode(firstSlot);
    }
}
