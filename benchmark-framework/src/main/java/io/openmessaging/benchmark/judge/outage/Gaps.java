package io.openmessaging.benchmark.judge.outage;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.SlotCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * When nothing was acknowledged while messages were due: from the last acknowledgement, or from when the next message was due
 * if none was waiting, to the next acknowledgement. Known to the length of a slot. Pure.
 */
final class Gaps {

    /** Shorter ones are nobody's concern: at the lowest rate of a run with faults, a message is due so often. */
    static final long MIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A gap is an outage if it is so many times as long as gaps are anyway: a system that acknowledges in batches has some. And
     * it has a cause of its own if it is so many times as long as the longest one before the first fault.
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

        /** The part of it within a time; of no length if there is none. */
        Gap within(long fromNs, long toNs) {
            long start = Math.max(startNs, fromNs);
            long end = Math.min(endNs, toNs);
            return end > start ? new Gap(start, end) : NONE;
        }
    }

    /**
     * Of a measurement. A gap with which it ends goes on to the first acknowledgement after it, if there is one.
     *
     * @param counts of all kinds of {@link Availability}
     * @param slotNs how long their slots are
     * @param sentToNs from when on nothing was sent that was due
     * @param firstFaultNs when the first fault began
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

    /** The first slot from one on with an acknowledgement; that one if there is none. */
    private static long firstAnswered(SlotCounts counts, long fromSlot) {
        for (long slot = fromSlot; slot < counts.endSlot(); slot++) {
            if (counts.count(slot, Availability.ANSWERED) > 0) {
                return slot;
            }
        }
        return fromSlot;
    }

    /** The median of the longest gaps that began in single seconds in which messages were due. */
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
     * @param untilNs so are those that had not begun by then
     */
    Gap longest(long fromNs, long toNs, long sinceNs, long untilNs) {
        return outages.stream()
                .filter(gap -> gap.within(sinceNs, untilNs).lengthNs() > 0)
                .map(gap -> gap.within(fromNs, toNs))
                .max(Comparator.comparingLong(Gap::lengthNs))
                .orElse(Gap.NONE);
    }

    /** Whether an outage that is longer than chance explains lasts at some moment within a time. */
    boolean isByMoreThanChance(long fromNs, long toNs) {
        return outages.stream()
                .anyMatch(gap -> gap.lengthNs() > LONGER_TIMES * longestBeforeNs
                        && gap.within(fromNs, toNs).lengthNs() > 0);
    }

    /** Whether an outage that lasted so long lasts at some moment within a time. */
    boolean isLongerThan(long limitNs, long fromNs, long toNs) {
        return outages.stream()
                .anyMatch(gap ->
                        gap.lengthNs() > limitNs && gap.within(fromNs, toNs).lengthNs() > 0);
    }

    /** The end of the outage that lasts at a moment, or the moment itself. */
    long endOfOneAt(long ns) {
        return outages.stream()
                .filter(gap -> gap.startNs <= ns && ns < gap.endNs)
                .mapToLong(Gap::endNs)
                .findFirst()
                .orElse(ns);
    }

    /** Whether an outage lasts up to a moment, or beyond. */
    boolean isDownAt(long ns) {
        return outages.stream().anyMatch(gap -> gap.startNs < ns && ns <= gap.endNs);
    }
}
