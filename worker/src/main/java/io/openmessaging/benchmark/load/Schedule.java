package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.Counter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * When each message of one sending thread is to be sent.
 *
 * <p>A schedule is arithmetic. It knows no clock, and no rounding adds up. A rate is the speed at which messages come
 * together; a message is due when as many have come together as its position says. At even distances the positions are
 * whole numbers apart. Independent messages have positions whose distances are distributed exponentially with mean 1; as a
 * rate only stretches positions to times, the times are those of a Poisson process of that rate, through all its changes.
 * They are known before they come, so that a late send is seen as late. {@link #next()} gives the time at which the next
 * message is due; where that lies in the past, the difference is the debt.
 *
 * <p>A change of the rate keeps the debt: what was due before the change stays due when it was, and the new rate counts
 * from the moment of the change, beginning with the fraction of a message that had come together by then. The messages
 * due by a time {@code t} are therefore the integral of the rate up to {@code t}, whatever the sender managed to send.
 * Only a stretch without a limit has no integral: whatever fraction there was ends with it.
 *
 * <p>Not thread-safe: it belongs to one sending thread.
 */
public final class Schedule {

    /** What {@link #next()} returns for a message that is due as soon as the client takes it. */
    public static final long AT_ONCE = Long.MIN_VALUE;

    /** What {@link #next()} returns while no message can be due. */
    public static final long NEVER = Long.MAX_VALUE;

    /** What the distances of positions are taken from; null if all are 1. */
    private final @Nullable RandomBits random;

    private final ArrayDeque<RateRamp> later = new ArrayDeque<>();
    private RateRamp current;

    /**
     * The position of the next message, counted from the start of the current stretch, in two parts: {@link #sent} messages
     * behind {@link #fromBits}, the bits of a double. So even messages are counted and no fraction adds up, and what is
     * written with each message has cache lines of its own.
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
     * The messages of one sending thread.
     *
     * @param arrivals how they are spread over time
     * @param startNs from when on the load is to be sent
     * @param rates of all threads of its worker together
     * @param share the part of them that this thread sends
     * @param slot the thread's place
     * @param seed of the random times of all threads; the same one gives the same times
     */
    public static Schedule of(
            ArrivalProcess arrivals, long startNs, RateProfile rates, double share, ThreadPosition slot, Seed seed) {
        RateProfile ofThread = rates.times(share);
        return switch (arrivals) {
            case CONSTANT -> even(startNs + slot.offsetNs(rates.firstMsgPerSec()), ofThread);
            case POISSON -> poisson(startNs, ofThread, slot.seed(seed).value());
        };
    }

    /**
     * Messages at even distances.
     *
     * @param startNs when the first message is due
     * @param rateMsgPerSec messages a second; 0 for none, infinity for as fast as the client accepts them
     */
    public static Schedule even(long startNs, double rateMsgPerSec) {
        return even(startNs, RateProfile.steady(rateMsgPerSec));
    }

    /** Messages at even distances, at a rate that changes. */
    public static Schedule even(long startNs, RateProfile profile) {
        return new Schedule(startNs, profile, null);
    }

    /**
     * Messages that come independently of each other, as a Poisson process does: the gaps at a constant rate have an
     * exponential distribution.
     *
     * @param startNs from when on messages come
     * @param profile the mean rate
     * @param seed the same one gives the same times
     */
    public static Schedule poisson(long startNs, RateProfile profile, long seed) {
        return new Schedule(startNs, profile, new RandomBits(seed));
    }

    /**
     * When the next message is due: epoch nanoseconds, {@link #AT_ONCE} or {@link #NEVER}. Does not advance. May be asked
     * again at any time: only a change makes the answer another.
     */
    public long next() {
        long dueNs = current.dueNs(position());
        while (current.isOverBy(dueNs)) {
            double missing = position() - current.messagesBy(current.endNs);
            // Below 0 by rounding, or because there was no limit.
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

    /** The message that {@link #next()} told of was sent. */
    public void advance() {
        if (random == null) {
            sent.add(1);
        } else {
            moveTo(position() + random.nextExponential());
        }
    }

    /**
     * So many messages are passed over, as if they had been sent. Where their times are random, what is left comes as much
     * later as it does in the mean.
     */
    void skip(long messages) {
        sent.add(messages);
    }

    /**
     * From the given time on, another rate. A fraction of a message that the old rate had accumulated by then is kept:
     * the first message of the new rate is due when the rest of it has come together.
     *
     * @param fromNs not before the last change
     * @param profile of which this moment is the begin
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

    /** From the given time on, another rate that then stays the same. */
    public void changeRate(long fromNs, double rateMsgPerSec) {
        change(fromNs, RateProfile.steady(rateMsgPerSec));
    }
}
