package io.openmessaging.benchmark.judge.outage;

import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotSums;
import java.util.stream.LongStream;

/**
 * The latency before the first fault, and the slots in which it is the same again. Pure.
 *
 * <p>The baseline is the median of the p99s of single seconds: one stall before the fault would raise the p99 of all
 * of them to its own length, and hide every effect of the fault below that. The same is done with medians: if the p99
 * is far above them, a fault may slow down every message and not reach it.
 */
final class Baseline {

    private static final long SECOND_SLOTS = 10;
    private static final double P99 = 0.99;
    private static final double P50 = 0.5;

    /** A slot is slow if its p99 or median is above this multiple of the baseline's. */
    private static final double SLOW_TIMES = 3;

    /** Slots may be as before if their seconds have a median p99 of at most this multiple of the baseline. */
    private static final double SAME_TIMES = 1.5;

    /** An excess of slow slots over the expected number by this many standard deviations may be chance. */
    private static final double CHANCE = 2;

    /** Slow slots have a cause of their own if chance gives as many with a probability below this. */
    private static final double UNLIKELY = 0.001;

    private final SlotSums latencies;
    private final long fromSlot;
    private final long toSlot;
    private final long p99Ns;
    private final long p50Ns;

    /** Number of slow slots from the first one to before another. */
    private final int[] slowBefore;

    /** The slot of the first fault, or the second slot if there is none before the fault. */
    private final long faultSlot;

    /**
     * Creates the baseline of a measurement.
     *
     * @param faultSlot slot in which the first fault started
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

    /** Returns whether the p99 or the median of a slot is far above the baseline. */
    boolean isSlow(long slot) {
        return slow(slot, slot + 1) > 0;
    }

    /**
     * Returns whether a slot is slow by more than chance: the second that starts with it has more slow slots than a
     * Poisson count with the mean of the time before the first fault explains. If no slot was slow then, one is
     * enough.
     *
     * @param endSlot latest end of that second
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

    /**
     * Returns whether messages of some slots took as long as before, without more slow slots than an earlier hiccup
     * explains.
     */
    boolean isAsBefore(long from, long to) {
        return p99Ns == 0 || slow(from, to) <= mostSlow(to - from) && typicalNs(from, to, P99) <= SAME_TIMES * p99Ns;
    }

    /**
     * Largest number of slots that may be slow: as many as before the first fault, one in any case, and the chance
     * deviation of a Poisson count that is compared with an estimate from another one.
     */
    private double mostSlow(long slots) {
        double expected = expectedSlow(slots);
        double times = (double) slots / (faultSlot - fromSlot);
        return Math.max(1, expected + CHANCE * Math.sqrt(expected * (1 + times)));
    }

    /** Expected number of slow slots if the system is as before the first fault. */
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

    /** The median of a percentile over single seconds; of two seconds in the middle, the slower one. */
    private long typicalNs(long from, long to, double part) {
        long[] seconds = LongStream.iterate(from, slot -> slot < to, slot -> slot + SECOND_SLOTS)
                .map(slot -> LatencyBuckets.percentileNs(latencies, slot, Math.min(to, slot + SECOND_SLOTS), part))
                .filter(ns -> ns > 0)
                .sorted()
                .toArray();
        return seconds.length == 0 ? 0 : seconds[seconds.length / 2];
    }
}
