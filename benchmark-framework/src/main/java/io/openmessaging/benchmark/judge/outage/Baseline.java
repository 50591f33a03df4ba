package io.openmessaging.benchmark.judge.outage;

import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotSums;
import java.util.stream.LongStream;

/**
 * What a latency was before the first fault, and where it is as it was. Pure.
 *
 * <p>The baseline is the median of the p99s of single seconds: one stall before the fault would lift the p99 of all of them
 * to its own length, and hide whatever the fault does below that. The same is done with medians: where the p99 is far above
 * them, a fault may slow down every message and not reach it.
 */
final class Baseline {

    private static final long SECOND_SLOTS = 10;
    private static final double P99 = 0.99;
    private static final double P50 = 0.5;

    /** A slot whose p99 or median is above so many times that of the baseline is slow. */
    private static final double SLOW_TIMES = 3;

    /** Slots whose seconds have a median p99 of at most so many times the baseline may be as before. */
    private static final double SAME_TIMES = 1.5;

    /** So many standard deviations more slow slots than are to be expected may be chance. */
    private static final double CHANCE = 2;

    /** Slow slots have a cause of their own if chance gives as many with a probability below this. */
    private static final double UNLIKELY = 0.001;

    private final SlotSums latencies;
    private final long fromSlot;
    private final long toSlot;
    private final long p99Ns;
    private final long p50Ns;

    /** How many slots from the first one to below another are slow. */
    private final int[] slowBefore;

    /** The first fault's, or one slot behind the first where there is none before it. */
    private final long faultSlot;

    /**
     * Of a measurement.
     *
     * @param faultSlot when the first fault began
     */
    Baseline(SlotSums latencies, long fromSlot, long toSlot, long faultSlot) {
        this.latencies = latencies;
        this.fromSlot = fromSlot;
        this.toSlot = Math.max(fromSlot, toSlot);
        this.faultSlot = Math.max(fromSlot + 1, faultSlot);
        this.p99Ns = typicalNs(fromSlot, faultSlot, P99);
        this.p50Ns = typicalNs(fromSlot, faultSlot, P50);
        this.slowBefore = new int[(int) (this.toSlot - fromSlot) + 1];
        for (int i = 1; i < slowBefore.length; i++) {
            slowBefore[i] = slowBefore[i - 1] + (isSlower(fromSlot + i - 1) ? 1 : 0);
        }
    }

    /** The baseline in nanoseconds; 0 without a message before the first fault. */
    long p99Ns() {
        return p99Ns;
    }

    /** Whether the p99 or the median of a slot is far above the baseline. */
    boolean isSlow(long slot) {
        return slow(slot, slot + 1) > 0;
    }

    /**
     * Whether a slot is slow by more than chance: the second that begins with it has more slow slots than a Poisson count with
     * the mean of the time before the first fault explains. If no slot was slow then, one is enough.
     *
     * @param endSlot where that second ends at the latest
     */
    boolean isSlowByMoreThanChance(long slot, long endSlot) {
        long to = Math.min(endSlot, slot + SECOND_SLOTS);
        double expected = expectedSlow(to - slot);
        double exactly = Math.exp(-expected);
        double asMany = 1;
        for (int i = 0; i < slow(slot, to); i++) {
            asMany -= exactly;
            exactly *= expected / (i + 1);
        }
        return isSlow(slot) && asMany < UNLIKELY;
    }

    /** Whether messages of some slots took as long as before, without more slow slots than a hiccup that came before explains. */
    boolean isAsBefore(long from, long to) {
        return p99Ns == 0 || slow(from, to) <= mostSlow(to - from) && typicalNs(from, to, P99) <= SAME_TIMES * p99Ns;
    }

    /**
     * How many of some slots may be slow: as many as before the first fault, one in any case, and what is chance of a Poisson
     * count that is compared with an estimate from another one.
     */
    private double mostSlow(long slots) {
        double expected = expectedSlow(slots);
        double times = (double) slots / (faultSlot - fromSlot);
        return Math.max(1, expected + CHANCE * Math.sqrt(expected * (1 + times)));
    }

    /** How many of some slots are slow if the system is as before the first fault. */
    private double expectedSlow(long slots) {
        return (double) slow(fromSlot, faultSlot) * slots / (faultSlot - fromSlot);
    }

    private boolean isSlower(long slot) {
        return p99Ns > 0
                && (LatencyBuckets.percentileNs(latencies, slot, slot + 1, P99) > SLOW_TIMES * p99Ns
                        || LatencyBuckets.percentileNs(latencies, slot, slot + 1, P50) > SLOW_TIMES * p50Ns);
    }

    private int slow(long from, long to) {
        return slowBefore[index(to)] - slowBefore[index(from)];
    }

    private int index(long slot) {
        return (int) (Math.min(toSlot, Math.max(fromSlot, slot)) - fromSlot);
    }

    /** Of two seconds in the middle, the slower one. */
    private long typicalNs(long from, long to, double part) {
        long[] seconds = LongStream.iterate(from, slot -> slot < to, slot -> slot + SECOND_SLOTS)
                .map(slot -> LatencyBuckets.percentileNs(latencies, slot, Math.min(to, slot + SECOND_SLOTS), part))
                .filter(ns -> ns > 0)
                .sorted()
                .toArray();
        return seconds.length == 0 ? 0 : seconds[seconds.length / 2];
    }
}
