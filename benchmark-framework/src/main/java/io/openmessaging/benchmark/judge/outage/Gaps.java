package io.openmessaging.benchmark.judge.outage;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.SlotCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Times in which nothing was acknowledged while messages were due: from the last acknowledgement, or from when the
 * next message was due if none was waiting, to the next acknowledgement. Known to the length of a slot. Pure.
 */
final class Gaps {

    /** Shorter gaps are ignored: at the lowest rate of a run with faults, a message is due once in this time. */
    static final long MIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A gap is an outage if it is longer than this multiple of the usual gaps: a system that acknowledges in batches
     * always has some. It has a cause of its own if it is longer than this multiple of the longest one before the
     * first fault.
     */
    private static final int LONGER_TIMES = 2;

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<Gap> outages;
    private final long longestBeforeNs;

    /** A time without an acknowledgement, epoch nanoseconds. */
    record Gap(long startNs, long endNs) {

        static final Gap NONE = new Gap(0, 0);

        long lengthNs() {
            return endNs - startNs;
        }

        /** Returns the part of the gap within a time; of no length if there is none. */
        Gap within(long fromNs, long toNs) {
            long start = Math.max(startNs, fromNs);
            long end = Math.min(endNs, toNs);
            return end > start ? new Gap(start, end) : NONE;
        }
    }

    /**
     * Finds the gaps of a measurement. A gap at its end extends to the first acknowledgement after it, if there is
     * one.
     *
     * @param counts counts of all kinds of {@link Availability}
     * @param slotNs length of their slots
     * @param sentToNs time after which nothing was sent that was due
     * @param firstFaultNs start of the first fault
     */
    Gaps(SlotCounts counts, long slotNs, long startNs, long endNs, long sentToNs, long firstFaultNs) {
        List<Gap> all = all(counts, slotNs, Math.floorDiv(startNs, slotNs), Math.floorDiv(endNs, slotNs), sentToNs);
        List<Gap> before = all.stream().filter(gap -> gap.endNs <= firstFaultNs).toList();
        this.longestBeforeNs = before.stream().mapToLong(Gap::lengthNs).max().orElse(0);
        long usualNs = usualNs(counts, slotNs, before, startNs, firstFaultNs);
        this.outages = all.stream()
                .filter(gap ->
                        gap.lengthNs() >= Math.max(MIN_NS, 2 * slotNs) && gap.lengthNs() > LONGER_TIMES * usualNs)
                .toList();
    }

    private static List<Gap> all(SlotCounts counts, long slotNs, long fromSlot, long toSlot, long sentToNs) {
        List<Gap> gaps = new ArrayList<>();
        long waiting = counts.sum(Long.MIN_VALUE, fromSlot, Availability.DUE)
                - counts.sum(Long.MIN_VALUE, fromSlot, Availability.FAILED)
                - counts.sum(Long.MIN_VALUE, fromSlot, Availability.ANSWERED);
        boolean due = waiting > 0;
        long start = fromSlot;
        for (long slot = fromSlot; slot < toSlot; slot++) {
            int dueNow = counts.count(slot, Availability.DUE);
            int answered = counts.count(slot, Availability.ANSWERED);
            if (!due && (dueNow > 0 || slot * slotNs >= sentToNs)) {
                due = true;
                start = slot;
            }
            waiting += dueNow - counts.count(slot, Availability.FAILED) - answered;
            if (answered > 0) {
                if (due && slot > start) {
                    gaps.add(new Gap(start * slotNs, slot * slotNs));
                }
                due = waiting > 0;
                start = slot;
            }
        }
        if (due && toSlot > start) {
            gaps.add(new Gap(start * slotNs, firstAnswered(counts, toSlot) * slotNs));
        }
        return gaps;
    }

    /** The first slot at or after a given one with an acknowledgement; the given one if there is none. */
    private static long firstAnswered(SlotCounts counts, long fromSlot) {
        for (long slot = fromSlot; slot < counts.endSlot(); slot++) {
            if (counts.count(slot, Availability.ANSWERED) > 0) {
                return slot;
            }
        }
        return fromSlot;
    }

    /** The median of the longest gaps that started in single seconds in which messages were due. */
    private static long usualNs(SlotCounts counts, long slotNs, List<Gap> gaps, long fromNs, long toNs) {
        int seconds = (int) Math.max(0, (toNs - fromNs) / SECOND_NS);
        long[] longestNs = new long[seconds];
        Arrays.fill(longestNs, -1);
        for (int second = 0; second < seconds; second++) {
            long slot = Math.floorDiv(fromNs + second * SECOND_NS, slotNs);
            if (counts.sum(slot, slot + SECOND_NS / slotNs, Availability.DUE) > 0) {
                longestNs[second] = 0;
            }
        }
        for (Gap gap : gaps) {
            int second = (int) Math.floorDiv(gap.startNs - fromNs, SECOND_NS);
            if (second >= 0 && second < seconds) {
                longestNs[second] = Math.max(longestNs[second], gap.lengthNs());
            }
        }
        long[] sorted = Arrays.stream(longestNs).filter(ns -> ns >= 0).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    /** The gaps that are outages, in their order. */
    List<Gap> outages() {
        return outages;
    }

    /**
     * The longest part of an outage within a time; of no length if there is none.
     *
     * @param sinceNs outages that were over by then are left out
     * @param untilNs outages that had not started by then are left out
     */
    Gap longest(long fromNs, long toNs, long sinceNs, long untilNs) {
        return outages.stream()
                .filter(gap -> gap.within(sinceNs, untilNs).lengthNs() > 0)
                .map(gap -> gap.within(fromNs, toNs))
                .max(Comparator.comparingLong(Gap::lengthNs))
                .orElse(Gap.NONE);
    }

    /** Returns whether an outage longer than chance explains overlaps a time. */
    boolean isByMoreThanChance(long fromNs, long toNs) {
        return outages.stream()
                .anyMatch(gap -> gap.lengthNs() > LONGER_TIMES * longestBeforeNs
                        && gap.within(fromNs, toNs).lengthNs() > 0);
    }

    /** Returns whether an outage longer than a limit overlaps a time. */
    boolean isLongerThan(long limitNs, long fromNs, long toNs) {
        return outages.stream()
                .anyMatch(gap ->
                        gap.lengthNs() > limitNs && gap.within(fromNs, toNs).lengthNs() > 0);
    }

    /** The end of the outage at a moment, or the moment itself if there is none. */
    long endOfOneAt(long ns) {
        return outages.stream()
                .filter(gap -> gap.startNs <= ns && ns < gap.endNs)
                .mapToLong(Gap::endNs)
                .findFirst()
                .orElse(ns);
    }

    /** Returns whether an outage lasts up to a moment, or beyond. */
    boolean isDownAt(long ns) {
        return outages.stream().anyMatch(gap -> gap.startNs < ns && ns <= gap.endNs);
    }
}
