package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.Counter;
import java.util.ArrayDeque;

/**
 * When each message of one sending thread is to be sent.
 *
 * <p>A schedule is arithmetic: message {@code i} of a stretch of constant rate is due at {@code start + ⌈10⁹·i/rate⌉}
 * nanoseconds. It knows no clock, and no rounding adds up. {@link #next()} gives the time at which the next message is
 * due; where that lies in the past, the difference is the debt.
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

    /** What {@link #next()} returns while the rate is zero. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final double NS_PER_SECOND = 1e9;

    /**
     * A stretch of constant rate.
     *
     * @param startNs where it begins
     * @param missing how much of a message has to come together before the first one is due
     * @param rateMsgPerSec messages a second
     * @param endNs where the next stretch begins, MAX_VALUE for the last
     */
    private record Stretch(long startNs, double missing, double rateMsgPerSec, long endNs) {

        long dueNs(long i) {
            if (rateMsgPerSec == Double.POSITIVE_INFINITY) {
                return AT_ONCE;
            }
            if (rateMsgPerSec == 0) {
                return NEVER;
            }
            return startNs + (long) Math.ceil((i + missing) * NS_PER_SECOND / rateMsgPerSec);
        }

        /** Whether a message due then, if this stretch says so, belongs to the stretch after it. */
        boolean isOverBy(long dueNs) {
            return endNs != Long.MAX_VALUE && (dueNs == AT_ONCE || dueNs >= endNs);
        }

        Stretch endingAt(long atNs) {
            return new Stretch(startNs, missing, rateMsgPerSec, atNs);
        }

        /** How much of the next message is still missing at a time, if the stretch ends then. */
        double missingAt(long atNs, long sent) {
            if (rateMsgPerSec == Double.POSITIVE_INFINITY) {
                return 0;
            }
            if (rateMsgPerSec == 0) {
                return missing;
            }
            double accumulated = (atNs - startNs) * rateMsgPerSec / NS_PER_SECOND - missing;
            // A sender that learns late of the end may have sent more than was due by then.
            long next = Math.max(sent, dueBefore(atNs, accumulated));
            return Math.max(0, next - accumulated);
        }

        /** How many messages are due before a time; asks {@link #dueNs}, so that none falls between two stretches. */
        private long dueBefore(long atNs, double estimate) {
            long count = Math.max(0, (long) Math.ceil(estimate));
            while (count > 0 && dueNs(count - 1) >= atNs) {
                count--;
            }
            while (dueNs(count) < atNs) {
                count++;
            }
            return count;
        }
    }

    private final ArrayDeque<Stretch> later = new ArrayDeque<>();
    private Stretch current;
    private final Counter sent = new Counter();

    /** How many were sent before the current stretch. */
    private long sentBefore;

    /**
     * A schedule that begins with a rate.
     *
     * @param startNs when the first message is due
     * @param rateMsgPerSec messages a second; 0 for none, infinity for as fast as the client takes them
     */
    public Schedule(long startNs, double rateMsgPerSec) {
        current = new Stretch(startNs, 0, rateMsgPerSec, Long.MAX_VALUE);
    }

    /** When the next message is due: epoch nanoseconds, {@link #AT_ONCE} or {@link #NEVER}. Does not advance. */
    public long next() {
        long dueNs = current.dueNs(sentInStretch());
        while (current.isOverBy(dueNs)) {
            current = later.remove();
            sentBefore = sent.get();
            dueNs = current.dueNs(0);
        }
        return dueNs;
    }

    private long sentInStretch() {
        return sent.get() - sentBefore;
    }

    /** The message that {@link #next()} told of was sent. */
    public void advance() {
        sent.add(1);
    }

    /**
     * From the given time on, another rate. A fraction of a message that the old rate had accumulated by then is kept:
     * the first message of the new rate is due when the rest of it has come together.
     *
     * @param fromNs not before the last change
     * @param rateMsgPerSec as in the constructor
     */
    public void changeRate(long fromNs, double rateMsgPerSec) {
        double missing;
        if (later.isEmpty()) {
            missing = current.missingAt(fromNs, sentInStretch());
            current = current.endingAt(fromNs);
        } else {
            Stretch last = later.removeLast();
            missing = last.missingAt(fromNs, 0);
            later.add(last.endingAt(fromNs));
        }
        later.add(new Stretch(fromNs, missing, rateMsgPerSec, Long.MAX_VALUE));
    }
}
