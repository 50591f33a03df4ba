package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.measure.Totals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Judges whether a system keeps pace with a rate: whether its confirmations, and the arrivals at each subscription,
 * fall behind what is due while messages flow at that rate. Pure: it receives the counts, as often as every
 * {@link #LOOK}, and can answer at any time. Used by one thread at a time.
 *
 * <p>The growth of the queue decides: the lowest lag behind the schedule at the end of the time, compared with the
 * lowest in its first third. A constant lag is no growth, however long messages take; and the lowest lag is the one
 * just after a batch has arrived, so that batches and noisy latencies do not look like growth (K. Nichols, V.
 * Jacobson, "Controlling Queue Delay", ACM Queue 10(5), 2012, distinguish a standing from a passing queue in the same
 * way). The end is as long as the longest time without progress, at most a third. The tolerated growth is the
 * shortfall that a measurement tolerates in the same time.
 *
 * <p>A stall is a queue that the system may make up for, early or late in the time: while one has only started or
 * shrinks, the answer is {@code OPEN}, and {@code KEPT} follows when it is gone.
 */
public final class Pace {

    /** Interval between readings: fewer messages pass in it than a measurement may have cut off. */
    public static final Duration LOOK = Duration.ofMillis(10);

    /** Number of slots in the shortest time to judge. A slot is never shorter than the interval between readings. */
    private static final int SLOTS = 30;

    /** Batches are comparable once each third of the time has two of them. */
    private static final int BATCHES = 6;

    /** Smallest number of slots at the end of the time: the last one may have started only now. */
    private static final int END_SLOTS = 2;

    /**
     * Growth beyond this multiple of the tolerated one is that of a queue, not of a system that settles into its
     * balance.
     */
    private static final double CLEARLY = 2;

    /** The judgement of a rate until now. */
    public enum PaceState {
        /** The system kept pace. */
        KEPT,
        /** The system fell behind. */
        LOST,
        /** Too short a time to tell: few messages, large batches, a stall, or hardly more growth than is tolerated. */
        OPEN
    }

    private final double rateMsgPerSec;
    private final boolean random;
    private final long slotNs;

    /** The lowest lag of each slot, in messages; one entry for the confirmations, then one for each subscription. */
    private final List<double[]> lows = new ArrayList<>();

    private CountSeries[] streams = new CountSeries[0];
    private double[] lagsNow = new double[0];
    private long firstNs;
    private long lastNs;

    /**
     * Creates a pace without any readings.
     *
     * @param rateMsgPerSec rate at which messages are sent, finite and above zero
     * @param random true if the number of messages in a time is random
     * @param shortest shortest time after which {@link #state()} will be called
     */
    public Pace(double rateMsgPerSec, boolean random, Duration shortest) {
        this.rateMsgPerSec = rateMsgPerSec;
        this.random = random;
        this.slotNs = Math.max(LOOK.toNanos(), shortest.toNanos() / SLOTS);
    }

    double rateMsgPerSec() {
        return rateMsgPerSec;
    }

    boolean random() {
        return random;
    }

    /** Adds a reading of the counts. The first reading starts the time that is judged. */
    public void look(long nowNs, Totals totals) {
        double[] counts = counts(totals);
        if (lows.isEmpty()) {
            firstNs = nowNs;
            streams = new CountSeries[counts.length];
            lagsNow = new double[counts.length];
            for (int i = 0; i < counts.length; i++) {
                streams[i] = new CountSeries(counts[i], nowNs);
            }
        }
        lastNs = nowNs;
        double due = rateMsgPerSec * (nowNs - firstNs) / 1e9;
        double[] low = slotAt(nowNs, counts.length);
        for (int i = 0; i < counts.length; i++) {
            streams[i].see(counts[i], nowNs);
            lagsNow[i] = due - counts[i];
            low[i] = Math.min(low[i], lagsNow[i]);
        }
    }

    private static double[] counts(Totals totals) {
        double[] counts = new double[1 + totals.received().size()];
        counts[0] = totals.acknowledged();
        for (int i = 1; i < counts.length; i++) {
            counts[i] = totals.received().get(i - 1) + totals.failed();
        }
        return counts;
    }

    private double[] slotAt(long nowNs, int streamCount) {
        int index = (int) ((nowNs - firstNs) / slotNs);
        while (lows.size() <= index) {
            double[] slot = new double[streamCount];
            Arrays.fill(slot, Double.POSITIVE_INFINITY);
            lows.add(slot);
        }
        return lows.get(index);
    }

    /** The judgement by now; more readings may resolve {@code OPEN}. */
    public PaceState state() {
        if (third() == 0) {
            return PaceState.OPEN;
        }
        boolean inBatches = Arrays.stream(streams).anyMatch(this::comesInBatches);
        if (!keptUp()) {
            return inBatches || !isStanding() ? PaceState.OPEN : PaceState.LOST;
        }
        boolean tooShort = tolerated() > (1 - Judge.REACHED) * rateMsgPerSec * comparedSeconds() * (1 + 1e-9);
        return inBatches || tooShort || isLate() ? PaceState.OPEN : PaceState.KEPT;
    }

    /** Returns whether some queue has clearly grown, not only just now, and does not shrink. */
    private boolean isStanding() {
        for (int i = 0; i < streams.length; i++) {
            double before = lowest(i, first());
            boolean grown = lowest(i, last(third())) - before > CLEARLY * tolerated(secondsUntilLast(third()));
            if (grown && highestBeforeEnd(i) - lowest(i, end(i)) <= tolerated()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether some stream is late at the moment, by more than a batch explains. */
    private boolean isLate() {
        for (int i = 0; i < streams.length; i++) {
            double batch = rateMsgPerSec * streams[i].longestGapNs / 1e9;
            if (lagsNow[i] - lowest(i, first()) > tolerated() + batch) {
                return true;
            }
        }
        return false;
    }

    /**
     * Number of messages by which the slowest stream is behind at the moment, compared with the start; 0 while there
     * are too few slots to compare.
     */
    public double behindMessages() {
        double most = 0;
        for (int i = 0; i < streams.length && third() > 0; i++) {
            most = Math.max(most, lagsNow[i] - lowest(i, first()));
        }
        return most;
    }

    /** Messages a second that the slowest stream has confirmed or delivered; 0 before two readings. */
    public double achievedMsgPerSec() {
        double seconds = (lastNs - firstNs) / 1e9;
        return seconds == 0 ? 0 : Math.max(0, rateMsgPerSec - behindMessages() / seconds);
    }

    /** Returns whether nothing fell behind by more than is tolerated, even if the time was short. */
    public boolean keptUp() {
        return third() > 0 && largestGrowth() <= tolerated();
    }

    /**
     * Number of messages by which the slowest stream fell behind the schedule; negative if it caught up; 0 while there
     * are too few slots to compare.
     */
    double largestGrowth() {
        if (third() == 0) {
            return 0;
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < streams.length; i++) {
            largest = Math.max(largest, growth(i));
        }
        return largest;
    }

    /**
     * Number of messages by which the slowest subscription fell behind further than the confirmations did; negative if
     * it caught up; 0 without subscriptions.
     */
    public long backlogGrowth() {
        if (third() == 0 || streams.length == 1) {
            return 0;
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 1; i < streams.length; i++) {
            largest = Math.max(largest, growth(i) - growth(0));
        }
        return Math.round(largest);
    }

    /** Slots in a third of the time; 0 if there are too few to compare. */
    private int third() {
        return lows.size() / 3;
    }

    /** Seconds from the start of the first third to the start of the last slots. */
    private double comparedSeconds() {
        return secondsUntilLast(Math.min(third(), END_SLOTS));
    }

    private double secondsUntilLast(int slots) {
        return (lows.size() - slots) * slotNs / 1e9;
    }

    private double tolerated() {
        return tolerated(comparedSeconds());
    }

    private double tolerated(double seconds) {
        double scatter = random ? Judge.SCATTER * Math.sqrt(rateMsgPerSec * seconds) : 0;
        return BacklogTrend.tolerated(rateMsgPerSec, seconds) + scatter;
    }

    private double growth(int stream) {
        return lowest(stream, end(stream)) - lowest(stream, first());
    }

    private List<double[]> first() {
        return lows.subList(0, third());
    }

    private List<double[]> last(int slots) {
        return lows.subList(lows.size() - slots, lows.size());
    }

    /**
     * As many slots as a stream may need to move, so that its lag in them does not depend on its position between two
     * batches.
     */
    private List<double[]> end(int stream) {
        long slots = END_SLOTS + streams[stream].longestGapNs / slotNs;
        return last((int) Math.min(third(), slots));
    }

    private double highestBeforeEnd(int stream) {
        return lows.subList(0, lows.size() - end(stream).size()).stream()
                .mapToDouble(slot -> slot[stream])
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NEGATIVE_INFINITY);
    }

    private static double lowest(int stream, List<double[]> slots) {
        return slots.stream().mapToDouble(slot -> slot[stream]).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** False for a stream that has not moved at all: nothing shows that it will. */
    private boolean comesInBatches(CountSeries stream) {
        return stream.moved && BATCHES * stream.longestGapNs(lastNs) > lastNs - firstNs;
    }

    /** The times at which a count moves. */
    private static final class CountSeries {

        private double count;
        private long movedAtNs;
        private long longestGapNs;
        private boolean moved;

        CountSeries(double count, long nowNs) {
            this.count = count;
            this.movedAtNs = nowNs;
        }

        void see(double now, long nowNs) {
            if (now != count) {
                longestGapNs = longestGapNs(nowNs);
                count = now;
                movedAtNs = nowNs;
                moved = true;
            }
        }

        /** Includes the gap that has not ended yet. */
        long longestGapNs(long nowNs) {
            return Math.max(longestGapNs, nowNs - movedAtNs);
        }
    }
}
