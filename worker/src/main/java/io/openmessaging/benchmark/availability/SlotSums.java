package io.openmessaging.benchmark.availability;

/** Sums of counts over ranges of slots, each computed in constant time. */
public final class SlotSums {

    private final long firstSlot;
    private final long endSlot;
    private final int kinds;

    /** Counts of all slots before each slot, kind by kind. */
    private final long[] before;

    /** Precomputes the sums of these counts. */
    public SlotSums(SlotCounts counts, int kinds) {
        this.firstSlot = counts.firstSlot();
        this.endSlot = counts.endSlot();
        this.kinds = kinds;
        this.before = new long[(int) (endSlot - firstSlot + 1) * kinds];
        for (int i = kinds; i < before.length; i++) {
            before[i] = before[i - kinds] + counts.count(firstSlot + i / kinds - 1, i % kinds);
        }
    }

    /** Returns the sum of a count over a range of slots; the end is exclusive. */
    public long sum(long fromSlot, long toSlot, int kind) {
        return toSlot <= fromSlot ? 0 : before(toSlot, kind) - before(fromSlot, kind);
    }

    private long before(long slot, int kind) {
        return before[(int) (Math.min(endSlot, Math.max(firstSlot, slot)) - firstSlot) * kinds + kind];
    }
}
