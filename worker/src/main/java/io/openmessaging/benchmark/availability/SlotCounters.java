package io.openmessaging.benchmark.availability;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/** Running counts of several kinds in slots. Any thread may count, in any order of slots. */
public final class SlotCounters {

    /** Number of slots whose counters are created together: 12.8 s. */
    private static final int CHUNK_SLOTS = 128;

    private final int kinds;
    private final Map<Long, AtomicIntegerArray> chunks = new ConcurrentHashMap<>();

    /** Creates counters without any counts. */
    public SlotCounters(int kinds) {
        this.kinds = kinds;
    }

    /** Counts one event of a kind. */
    public void add(long slot, int kind) {
        long chunk = Math.floorDiv(slot, CHUNK_SLOTS);
        AtomicIntegerArray counters = chunks.get(chunk);
        if (counters == null) {
            counters = chunks.computeIfAbsent(chunk, number -> new AtomicIntegerArray(CHUNK_SLOTS * kinds));
        }
        counters.getAndIncrement(Math.floorMod(slot, CHUNK_SLOTS) * kinds + kind);
    }

    /** Returns the counts so far. */
    public SlotCounts counts() {
        long first = chunks.keySet().stream().mapToLong(Long::longValue).min().orElse(0);
        long last = chunks.keySet().stream().mapToLong(Long::longValue).max().orElse(-1);
        int[] counts = new int[(int) (last - first + 1) * CHUNK_SLOTS * kinds];
        for (long chunk = first; chunk <= last; chunk++) {
            @Nullable AtomicIntegerArray counters = chunks.get(chunk);
            for (int i = 0; counters != null && i < counters.length(); i++) {
                counts[(int) (chunk - first) * CHUNK_SLOTS * kinds + i] = counters.get(i);
            }
        }
        return new SlotCounts(first * CHUNK_SLOTS, kinds, counts);
    }
}
