package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Judges whether what a warm-up leaves is gone: messages that are due and unsent, and a backlog beyond the messages
 * that are always on their way at that rate. Pure: it receives the counts, as often as every {@link Pace#LOOK}, while
 * the load of the warm-up continues. Used by one thread at a time.
 *
 * <p>A backlog counts as gone when it is, for a moment, no more than rate × latency, the latency being the shortest of
 * the warm-up: just after a batch has arrived, that is all that is in flight. If latencies are longer under load, it
 * counts as gone when it neither shrinks nor grows any more, and is no more than the messages of a second.
 */
public final class Settling {

    /** Number of windows over which a backlog has to stay the same. */
    private static final int STEADY_WINDOWS = 5;

    /** Longest window; the lowest value in each window counts. */
    private static final Duration LONGEST_WINDOW = Duration.ofSeconds(1);

    /** A backlog of more messages than are sent in this time never counts as always on its way. */
    private static final double MOST_SECONDS = 1;

    private final double rateMsgPerSec;
    private final boolean random;
    private final long loadBeginNs;
    private final Totals before;
    private final double shortestPublishS;
    private final double shortestEndToEndS;
    private final long windowNs;

    /** The lowest values of each window: debt, messages to be confirmed, backlog of each subscription. */
    private final List<double[]> lows = new ArrayList<>();

    private double[] last = new double[0];
    private double debtScatter;
    private long windowEndNs = Long.MIN_VALUE;

    /**
     * Creates a judge without any readings.
     *
     * @param rateMsgPerSec rate of the load, finite
     * @param random true if the number of messages in a time is random
     * @param loadBeginNs start of the load
     * @param before counts at the start of the load
     * @param known periods with the load of the warm-up, or a lower one, whose shortest latencies count; may be empty
     * @param longest longest time of the readings
     */
    public Settling(
            double rateMsgPerSec,
            boolean random,
            long loadBeginNs,
            Totals before,
            List<PeriodSnapshot> known,
            Duration longest) {
        this.rateMsgPerSec = rateMsgPerSec;
        this.random = random;
        this.loadBeginNs = loadBeginNs;
        this.before = before;
        this.shortestPublishS = shortestSeconds(known, Latency.PUBLISH);
        this.shortestEndToEndS = shortestSeconds(known, Latency.END_TO_END);
        this.windowNs = Math.min(LONGEST_WINDOW.toNanos(), longest.toNanos() / (2 * STEADY_WINDOWS));
    }

    /** Shortest latency of periods; 0 if they have no such latencies. */
    private static double shortestSeconds(List<PeriodSnapshot> periods, Latency latency) {
        return periods.stream()
                        .map(period -> period.latency(latency))
                        .filter(latencies -> latencies.count() > 0)
                        .mapToLong(latencies -> latencies.histogram().getMinValue())
                        .min()
                        .orElse(0)
                / 1e9;
    }

    /** Adds a reading of the counts; returns whether nothing is left. */
    public boolean look(long nowNs, Totals totals) {
        Totals since = totals.minus(before);
        double due = rateMsgPerSec * (nowNs - loadBeginNs) / 1e9;
        debtScatter = random ? Judge.SCATTER * Math.sqrt(due) : 0;
        last = new double[2 + since.received().size()];
        last[0] = due - since.sent();
        last[1] = since.inFlight();
        for (int i = 2; i < last.length; i++) {
            last[i] = since.sent() - since.failed() - since.received().get(i - 2);
        }
        if (nowNs >= windowEndNs) {
            windowEndNs = nowNs + windowNs;
            double[] low = new double[last.length];
            Arrays.fill(low, Double.POSITIVE_INFINITY);
            lows.add(low);
        }
        double[] low = lows.get(lows.size() - 1);
        for (int i = 0; i < last.length; i++) {
            low[i] = Math.min(low[i], last[i]);
        }
        return low[0] <= debtScatter + tolerated() && (isGone(low) || isSteady());
    }

    private double tolerated() {
        return Judge.toleratedShortfall(rateMsgPerSec, 0);
    }

    private boolean isGone(double[] low) {
        boolean gone = low[1] <= rateMsgPerSec * shortestPublishS + tolerated();
        for (int i = 2; i < low.length; i++) {
            gone &= low[i] <= rateMsgPerSec * shortestEndToEndS + tolerated();
        }
        return gone;
    }

    /** Compares the windows before the current one, which has just started and says little. */
    private boolean isSteady() {
        int end = lows.size() - 1;
        if (end < STEADY_WINDOWS) {
            return false;
        }
        List<double[]> compared = lows.subList(end - STEADY_WINDOWS, end);
        for (int i = 1; i < last.length; i++) {
            int count = i;
            if (!isSteady(compared.stream().mapToDouble(low -> low[count]).toArray())) {
                return false;
            }
        }
        return true;
    }

    private boolean isSteady(double[] values) {
        double newest = values[values.length - 1];
        double grown = newest - values[0];
        double scatter = random ? Judge.SCATTER * Math.sqrt(rateMsgPerSec * windowNs * values.length / 1e9) : 0;
        return -grown <= tolerated()
                && grown <= tolerated() + scatter + BacklogTrend.largestFall(values)
                && newest <= MOST_SECONDS * rateMsgPerSec + tolerated();
    }

    /** The finding for what was left at the last reading. */
    public Finding left(double seconds) {
        double backlog = Arrays.stream(last).skip(2).max().orElse(last[1]);
        return Finding.notSettled(seconds, Math.max(0, Math.round(last[0])), Math.max(0, Math.round(backlog)));
    }
}
