package io.openmessaging.benchmark.load;

import java.util.ArrayDeque;

/**
 * When each message of one sending thread is to be sent.
 *
 * <p>A schedule is arithmetic: message {@code i} of a stretch of constant rate is due at {@code start + ⌈10⁹·i/rate⌉}
 * nanoseconds. It knows no clock, and no rounding adds up. {@link #next()} gives the time at which the next message is
 * due; where that lies in the past, the difference is the debt.
 *
 * <p>A change of the rate keeps the debt: what was due before the change stays due when it was, and the new rate counts
 * from the moment of the change. The messages due by a time {@code t} are therefore the integral of the rate up to
 * {@code t}, whatever the sender managed to send.
 *
 * <p>Not thread-safe: it belongs to one sending thread.
 */
public final class Schedule {

    /** What {@link #next()} returns for a message that is due as soon as the client takes it. */
    public static final long AT_ONCE = Long.MIN_VALUE;

    /** What {@link #next()} returns while the rate is zero. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final double NS_PER_SECOND = 1e9;

    /** A stretch of constant rate; the next stretch begins at {@code endNs}, which is MAX_VALUE for the last. */
    private record Stretch(long startNs, double rateMsgPerSec, long endNs) {

        long dueNs(long i) {
            if (rateMsgPerSec == Double.POSITIVE_INFINITY) {
                return AT_ONCE;
            }
            if (rateMsgPerSec == 0) {
                return NEVER;
            }
            return startNs + (long) Math.ceil(i * NS_PER_SECOND / rateMsgPerSec);
        }

        /** Whether a message due then, if this stretch says so, belongs to the stretch after it. */
        boolean isOverBy(long dueNs) {
            return endNs != Long.MAX_VALUE && (dueNs == AT_ONCE || dueNs >= endNs);
        }

        Stretch endingAt(long atNs) {
            return new Stretch(startNs, rateMsgPerSec, atNs);
        }
    }

    private final ArrayDeque<Stretch> later = new ArrayDeque<>();
    private Stretch current;
    private long index;

    /**
     * A schedule that begins with a rate.
     *
     * @param startNs when the first message is due
     * @param rateMsgPerSec messages a second; 0 for none, infinity for as fast as the client takes them
     */
    public Schedule(long startNs, double rateMsgPerSec) {
        current = new Stretch(startNs, rateMsgPerSec, Long.MAX_VALUE);
    }

    /** When the next message is due: epoch nanoseconds, {@link #AT_ONCE} or {@link #NEVER}. Does not advance. */
    public long next() {
        long dueNs = current.dueNs(index);
        while (current.isOverBy(dueNs)) {
            current = later.remove();
            index = 0;
            dueNs = current.dueNs(0);
        }
        return dueNs;
    }

    /** The message that {@link #next()} told of was sent. */
    public void advance() {
        index++;
    }

    /**
     * From the given time on, another rate. A fraction of a message that the old rate had accumulated by then is kept:
     * the first message of the new rate is due when the rest of it has come together.
     *
     * @param fromNs not before the last change
     * @param rateMsgPerSec as in the constructor
     */
    public void changeRate(long fromNs, double rateMsgPerSec) {
        Stretch last = later.isEmpty() ? current : later.removeLast();
        Stretch ended = last.endingAt(fromNs);
        if (last == current) {
            current = ended;
        } else {
            later.add(ended);
        }
        later.add(new Stretch(firstDueNs(last, fromNs, rateMsgPerSec), rateMsgPerSec, Long.MAX_VALUE));
    }

    private static long firstDueNs(Stretch before, long fromNs, double rateMsgPerSec) {
        boolean accumulates = before.rateMsgPerSec > 0 && before.rateMsgPerSec != Double.POSITIVE_INFINITY;
        if (!accumulates || rateMsgPerSec == 0 || fromNs <= before.startNs) {
            return fromNs;
        }
        double accumulatedMessages = (fromNs - before.startNs) * before.rateMsgPerSec / NS_PER_SECOND;
        double missing = Math.ceil(accumulatedMessages) - accumulatedMessages;
        return fromNs + (long) Math.ceil(missing * NS_PER_SECOND / rateMsgPerSec);
    }
}
