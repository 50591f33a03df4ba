package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.Counter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The intended send time of each message of one sending thread.
 *
 * <p>A schedule is pure arithmetic: it reads no clock, and rounding errors do not accumulate. A rate is the speed at
 * which messages accumulate; a message is due when the accumulated number reaches its position. With equal gaps,
 * positions are whole numbers apart. With independent messages, the distances of positions have an exponential
 * distribution of mean 1; as a rate only maps positions to times, the times form a Poisson process of that rate,
 * through all its changes. Times are known in advance, so a late send is recognised as late. {@link #next()} returns
 * when the next message is due; if that is in the past, the difference is the debt.
 *
 * <p>A change of the rate keeps the debt: messages due before the change keep their times, and the new rate counts
 * from the moment of the change, starting with the fraction of a message that had accumulated by then. The messages
 * due by a time {@code t} are therefore the integral of the rate up to {@code t}, whatever the sender managed to send.
 * Only a stretch without a limit has no integral: a fraction is dropped at its end.
 *
 * <p>Not thread-safe: it belongs to one sending thread.
 */
public final class Schedule {

    /** Returned by {@link #next()} for a message that is due as soon as the client accepts it. */
    public static final long AT_ONCE = Long.MIN_VALUE;

    /** Returned by {@link #next()} while no message can become due. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Source of the distances between positions; null if all are 1. */
    private final @Nullable RandomBits random;

    private final ArrayDeque<RateRamp> later = new ArrayDeque<>();
    private RateRamp current;

    /**
     * The position of the next message, counted from the start of the current stretch, in two parts: {@link
     * #fromBits}, the bits of a double, plus the number of messages {@link #sent} since. So messages at equal
     * distances are counted, and no fractions add up. The values written with each message have cache lines of their
     * own.
     */
    private final Counter fromBits = new Counter();

    private final Counter sent = new Counter();

    private Schedule(long startNs, RateProfile profile, @Nullable RandomBits random) {
        this.random = random;
        later.addAll(profile.stretches(startNs));
        current = later.remove();
        moveTo(random == null ? 0 : random.nextExponential());
    }

    /**
     * Creates the schedule of one sending thread.
     *
     * @param arrivals distribution of the messages over time
     * @param startNs start of the load
     * @param rates rates of all threads of the thread's worker together
     * @param share the part of them that this thread sends
     * @param position the thread's position
     * @param seed seed of the random times of all threads; equal seeds give equal times
     */
    public static Schedule of(
            ArrivalProcess arrivals,
            long startNs,
            RateProfile rates,
            double share,
            ThreadPosition position,
            Seed seed) {
        RateProfile ofThread = rates.times(share);
        return switch (arrivals) {
            case CONSTANT -> even(startNs + position.offsetNs(rates.firstMsgPerSec()), ofThread);
            case POISSON -> poisson(startNs, ofThread, position.seed(seed).value());
        };
    }

    /**
     * Creates a schedule of messages at equal distances.
     *
     * @param startNs when the first message is due
     * @param rateMsgPerSec messages per second; 0 for none, infinity for as fast as the client accepts them
     */
    public static Schedule even(long startNs, double rateMsgPerSec) {
        return even(startNs, RateProfile.steady(rateMsgPerSec));
    }

    /** Creates a schedule of messages at equal distances, at a rate that changes. */
    public static Schedule even(long startNs, RateProfile profile) {
        return new Schedule(startNs, profile, null);
    }

    /**
     * Creates a schedule of independent messages, a Poisson process: at a constant rate, gaps have an exponential
     * distribution.
     *
     * @param startNs start of the messages
     * @param profile the mean rate
     * @param seed equal seeds give equal times
     */
    public static Schedule poisson(long startNs, RateProfile profile, long seed) {
        return new Schedule(startNs, profile, new RandomBits(seed));
    }

    /**
     * Returns when the next message is due: epoch nanoseconds, {@link #AT_ONCE} or {@link #NEVER}. Does not advance.
     * Repeated calls return the same time, unless the rate was changed.
     */
    public long next() {
        long dueNs = current.dueNs(position());
        while (current.isOverBy(dueNs)) {
            double missing = position() - current.messagesBy(current.endNs);
            // Can be below 0 by rounding, or because there was no limit.
            moveTo(Math.max(0, missing));
            current = later.remove();
            dueNs = current.dueNs(position());
        }
        return dueNs;
    }

    private double position() {
        return sent.get() + Double.longBitsToDouble(fromBits.get());
    }

    private void moveTo(double position) {
        fromBits.set(Double.doubleToRawLongBits(position));
        sent.set(0);
    }

    /** Notes that the message of {@link #next()} was sent. */
    public void advance() {
        if (random == null) {
            sent.add(1);
        } else {
            moveTo(position() + random.nextExponential());
        }
    }

    /**
     * Skips messages, as if they had been sent. If times are random, each skipped message counts with the mean
     * distance.
     */
    void skip(long messages) {
        sent.add(messages);
    }

    /**
     * Changes the rate from the given time on. A fraction of a message that has accumulated at the old rate by then is
     * kept: the first message of the new rate is due when the rest has accumulated.
     *
     * @param fromNs not before the last change
     * @param profile the rates, counted from that time
     */
    public void change(long fromNs, RateProfile profile) {
        while (!later.isEmpty() && later.getLast().startNs >= fromNs) {
            later.removeLast();
        }
        if (later.isEmpty()) {
            current = current.endingAt(fromNs);
        } else {
            later.add(later.removeLast().endingAt(fromNs));
        }
        later.addAll(profile.stretches(fromNs));
    }

    /** Changes the rate, from the given time on, to a constant one. */
    public void changeRate(long fromNs, double rateMsgPerSec) {
        change(fromNs, RateProfile.steady(rateMsgPerSec));
    }
}
