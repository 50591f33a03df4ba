package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.measure.Totals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Judges whether the backlog of a subscription, or the number of messages to be confirmed, grew or shrank over a
 * measurement by more than chance and latency explain. Pure: it receives the counts a few dozen times or more, and can
 * answer at any time. Used by one thread at a time.
 *
 * <p>It compares the <em>standing</em> backlog, the lowest one in a stretch of time: just after a batch has arrived,
 * that is the number of messages always in flight (K. Nichols, V. Jacobson, "Controlling Queue Delay", ACM Queue
 * 10(5), 2012). A growth is explained by:
 *
 * <ul>
 *   <li>the rate times the shortest latency: so many messages are always in flight, once there is load;
 *   <li>movement in the other direction: a backlog that fell by n messages before may rise by n again. A queue that
 *       grows hardly falls, one that fluctuates falls as much as it rises;
 *   <li>latency that varies, up to the growth that is {@link #tolerated};
 *   <li>the scatter of random arrivals, and of a message more or less.
 * </ul>
 */
public final class BacklogTrend {

    /** A growth by more messages than are sent in this time is a growing backlog, however long it took. */
    static final double MOST_SECONDS = 1;

    /** Consumers that pause for this long at the end are not behind: that is a stall, not a trend. */
    static final double PAUSE_SECONDS = 2;

    /**
     * Random arrivals explain no more messages than this, however long they last. With exponential service times, n or
     * more wait in a share u^n of all moments, u being the utilisation (M/M/1): with u = 0.99, 916 or more in 0.01 %.
     */
    private static final double MOST_SCATTER = Math.log(1e-4) / Math.log(Judge.REACHED);

    /** With fewer slots, no third can be compared with another. */
    private static final int FEWEST_SLOTS = 6;

    /** At this number of slots, each two are merged. */
    private static final int MOST_SLOTS = 64;

    /** In the first part of the time, messages only start to be in flight, so it is no base for a growth. */
    private static final int STARTING_PART = 10;

    private final boolean random;
    private final boolean even;
    private final List<TimeSlice> slots = new ArrayList<>();

    /** The last seconds, in which consumers may pause. */
    private final List<TimeSlice> recent = new ArrayList<>();

    private long slotNs = 1;
    private long[] first = new long[0];
    private long[] last = new long[0];
    private long lastNs;
    private long lastSent;

    /** A part of the time: the messages sent before it, and the lowest and highest value of each count. */
    private record TimeSlice(long startNs, long sent, long[] lows, long[] highs) {

        static TimeSlice of(long startNs, long sent, long[] counts) {
            return new TimeSlice(startNs, sent, counts.clone(), counts.clone());
        }

        void see(long[] counts) {
            for (int i = 0; i < counts.length; i++) {
                lows[i] = Math.min(lows[i], counts[i]);
                highs[i] = Math.max(highs[i], counts[i]);
            }
        }

        TimeSlice with(TimeSlice next) {
            see(next.lows);
            see(next.highs);
            return this;
        }
    }

    /**
     * The change of a count.
     *
     * @param subscription index of the subscription; -1 for the messages to be confirmed
     * @param messages change of the standing number, above zero
     * @param leftMessages messages that had not arrived, or not been confirmed, at the last reading
     * @param excessMessages part of the change that nothing explains, above zero
     */
    record Growth(int subscription, long messages, long leftMessages, double excessMessages) {}

    /**
     * Creates a trend without any readings.
     *
     * @param random true if the number of messages in a time is random
     * @param even true if the load is meant to be constant from start to end; otherwise more messages may be in flight
     *     when more are sent, and a shrinking backlog is not reported
     */
    public BacklogTrend(boolean random, boolean even) {
        this.random = random;
        this.even = even;
    }

    /**
     * Adds a reading of the counts since the start of the run. The first reading starts the time that is judged.
     *
     * @param nowNs nanoseconds of any clock that does not go back
     */
    public void look(long nowNs, Totals totals) {
        long[] backlogs = totals.backlogs();
        last = new long[1 + backlogs.length];
        last[0] = Math.max(0, totals.inFlight());
        System.arraycopy(backlogs, 0, last, 1, backlogs.length);
        lastNs = nowNs;
        lastSent = totals.sent();
        if (slots.isEmpty()) {
            first = last;
        }
        if (slots.isEmpty() || nowNs - newest().startNs >= slotNs) {
            if (slots.size() == MOST_SLOTS) {
                joinPairs();
            }
            slots.add(TimeSlice.of(nowNs, lastSent, last));
        } else {
            newest().see(last);
        }
        if (recent.isEmpty() || nowNs - recent.get(recent.size() - 1).startNs >= PAUSE_SECONDS * 1e9) {
            recent.add(TimeSlice.of(nowNs, lastSent, last));
            // Keeps this slice and the one before.
            recent.subList(0, Math.max(0, recent.size() - 2)).clear();
        } else {
            recent.get(recent.size() - 1).see(last);
        }
    }

    private TimeSlice newest() {
        return slots.get(slots.size() - 1);
    }

    private void joinPairs() {
        List<TimeSlice> joined = new ArrayList<>();
        for (int i = 0; i < slots.size(); i += 2) {
            joined.add(slots.get(i).with(slots.get(i + 1)));
        }
        slots.clear();
        slots.addAll(joined);
        slotNs = (newest().startNs - slots.get(0).startNs) / (slots.size() - 1);
    }

    /**
     * Growth that cannot be told from latency that varies, in messages: one message and those of 20 ms, as start and
     * end of a measurement may cut off; or 1 % of the messages, the shortfall of a rate that counts as reached, but no
     * more than the messages of a second.
     *
     * @param rateMsgPerSec rate at which messages are sent
     * @param seconds time in which the backlog could grow
     */
    static double tolerated(double rateMsgPerSec, double seconds) {
        return Math.min(
                Judge.toleratedShortfall(rateMsgPerSec, seconds),
                Math.max(MOST_SECONDS * rateMsgPerSec, Judge.toleratedShortfall(rateMsgPerSec, 0)));
    }

    /** The largest fall from a value to a later one; 0 if none is lower. */
    static double largestFall(double[] values) {
        double highest = Double.NEGATIVE_INFINITY;
        double fall = 0;
        for (double value : values) {
            highest = Math.max(highest, value);
            fall = Math.max(fall, highest - value);
        }
        return fall;
    }

    /**
     * The subscription whose backlog grew the most beyond what is explained, and by more than the number of messages
     * to be confirmed; empty if none did.
     *
     * @param shortestLatencyS the shortest latency to arrival in the time that is judged, seconds; 0 if unknown
     */
    Optional<Growth> growth(double shortestLatencyS) {
        return largest(1, last.length, count -> growth(count, shortestLatencyS));
    }

    /**
     * The growth of the number of messages to be confirmed beyond what is explained; empty if there is none.
     *
     * @param shortestLatencyS the shortest latency to confirmation, seconds; 0 if unknown
     */
    Optional<Growth> unacknowledgedGrowth(double shortestLatencyS) {
        return largest(0, 1, count -> growth(count, shortestLatencyS));
    }

    /**
     * The subscription that lost the most of its backlog since the start of the time; empty if the load is not even.
     */
    Optional<Growth> shrinkage() {
        return even ? largest(1, last.length, this::shrinkage) : Optional.empty();
    }

    private Optional<Growth> largest(int from, int to, IntFunction<Growth> judged) {
        if (slots.size() < FEWEST_SLOTS || lastNs <= slots.get(0).startNs) {
            return Optional.empty();
        }
        return IntStream.range(from, to)
                .mapToObj(judged)
                .filter(change -> change.excessMessages() > 0)
                .max(Comparator.comparingDouble(Growth::excessMessages));
    }

    private Growth growth(int count, double shortestLatencyS) {
        int size = slots.size();
        int baseFrom = size / STARTING_PART;
        int endFrom = size - size / 3;
        double rate = even ? rate(0, size) : Math.max(rate(0, size), rate(endFrom, size));
        double level = Math.max(base(count), rate * shortestLatencyS);
        double comparedSeconds = (slots.get(endFrom).startNs - slots.get(baseFrom).startNs) / 1e9;
        double tolerated = tolerated(rate, comparedSeconds) + scatter(rate * comparedSeconds);

        double grown = low(count, slots.subList(endFrom, size)) - level;
        double late = low(count, recent) - level;
        if (count > 0) {
            grown -= Math.max(0, low(0, slots.subList(endFrom, size)) - base(0));
            late -= Math.max(0, low(0, recent) - base(0));
        }
        double excess = grown - tolerated - largestFall(standing(count, baseFrom));
        double excessLate = late - tolerated - PAUSE_SECONDS * rate - largestMove(count, baseFrom, 1);
        // A fraction of a message does not count as behind.
        return change(count, Math.max(grown, late), Math.max(excess, excessLate) - 1e-6);
    }

    private Growth change(int count, double messages, double excessMessages) {
        return new Growth(count - 1, Math.round(messages), last[count], excessMessages);
    }

    /** The lowest number in the first third; if more is sent at the end, scaled to that rate at the same latency. */
    private double base(int count) {
        int size = slots.size();
        int from = size / STARTING_PART;
        double base = low(count, slots.subList(from, size / 3));
        double before = rate(from, size / 3);
        double now = rate(size - size / 3, size);
        // A count of zero says as little as a count of one.
        return even || before == 0 || now <= before ? base : (base + 1) * now / before;
    }

    /** The lowest number of each stretch of a sixth of the time: a shorter batch or pause leaves no trace in it. */
    private double[] standing(int count, int from) {
        int length = Math.max(1, slots.size() / 6);
        return IntStream.rangeClosed(from, slots.size() - length)
                .mapToDouble(start -> low(count, slots.subList(start, start + length)))
                .toArray();
    }

    /**
     * The largest fall from a slot to a later one, or with a direction of -1 the largest rise; however short it was.
     */
    private double largestMove(int count, int from, int direction) {
        return largestFall(slots.subList(from, slots.size()).stream()
                .flatMapToDouble(slot -> direction > 0
                        ? DoubleStream.of(slot.lows[count], slot.highs[count])
                        : DoubleStream.of(-slot.highs[count], -slot.lows[count]))
                .toArray());
    }

    private Growth shrinkage(int count) {
        int size = slots.size();
        double seconds = (lastNs - slots.get(0).startNs) / 1e9;
        double rate = rate(0, size);
        double tolerated = tolerated(rate, seconds) + scatter(rate * seconds);
        double after = low(count, slots.subList(size - size / 3, size));
        int gone = 0;
        while (slots.get(gone).lows[count] > after + tolerated) {
            gone++;
        }
        // A backlog that rises again after it has gone always moves like that.
        double shrunk = first[count] - after;
        return change(count, shrunk, shrunk - tolerated - largestMove(count, gone, -1) - 1e-6);
    }

    /** The scatter of a random number of messages, or of the one message more or less of a regular load. */
    private double scatter(double messages) {
        return Math.min(MOST_SCATTER, Judge.SCATTER * Math.sqrt(random ? Math.max(1, messages) : 1));
    }

    /** Sent messages a second from the start of a slot to the start of another, or to the last reading. */
    private double rate(int from, int to) {
        boolean untilNow = to == slots.size();
        long endNs = untilNow ? lastNs : slots.get(to).startNs;
        long sent = (untilNow ? lastSent : slots.get(to).sent) - slots.get(from).sent;
        return endNs <= slots.get(from).startNs ? 0 : sent / ((endNs - slots.get(from).startNs) / 1e9);
    }

    private static double low(int count, List<TimeSlice> among) {
        return among.stream().mapToDouble(slot -> slot.lows[count]).min().orElse(0);
    }
}
